import { type KeyVault, OtherKeyKept } from '../../engine/log/key-vault.ts';
import { createMemoryDisk, type MemoryDisk } from './memory-disk.ts';

/** Maps each person to their key, or to null once they have been erased. */
export type KeyDisk = MemoryDisk<Map<string, Buffer | null>>;

export const createKeyDisk = (): KeyDisk => createMemoryDisk(() => new Map());

const KEY_BYTES = 32;

export function createMemoryKeyVault(disk: KeyDisk, random: (bytes: number) => Buffer): KeyVault {
  const find = (person: string) => disk.content.get(person);
  return {
    async obtain(person) {
      const key = random(KEY_BYTES);
      if (find(person) === undefined) disk.write((keys) => keys.set(person, key));
      return find(person) ?? null;
    },
    find: async (person) => find(person),
    async erase(person) {
      disk.write((keys) => keys.set(person, null));
    },
    async list(after, limit) {
      const persons = [...disk.content.keys()].filter((person) => person > (after ?? '')).sort();
      return persons.slice(0, limit).map((person) => ({ person, key: find(person) ?? null }));
    },
    async restore({ person, key }) {
      const kept = find(person);
      if (key === null || kept === undefined) disk.write((keys) => keys.set(person, key));
      else if (kept !== null && !kept.equals(key)) throw new OtherKeyKept(`Person ${person} has another key.`);
    },
  };
}
