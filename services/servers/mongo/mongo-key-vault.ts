import { randomBytes } from 'node:crypto';
import { Binary, type Db } from 'mongodb';
import { z } from 'zod';
import { type KeptKey, type KeyVault, OtherKeyKept } from '../../engine/log/key-vault.ts';
import { StoreUnavailable } from '../../runtime/store-unavailable.ts';
import { isDuplicateKey } from './mongo.ts';

const KEY_BYTES = 32;

interface KeyDocument {
  readonly _id: string;
  readonly key: Binary | null;
}

/** A malformed document must not pass for an erased person. */
const keyDocumentSchema = z.object({
  _id: z.string(),
  key: z
    .instanceof(Binary)
    .refine((key) => key.length() === KEY_BYTES)
    .nullable(),
});

function parseKept(document: unknown): KeptKey {
  const { _id: person, key } = keyDocumentSchema.parse(document);
  return { person, key: key && Buffer.from(key.value()) };
}

/** The server's journal and oplog lose an erased key as they roll over. */
export function createMongoKeyVault(options: { db: Db; random?: (bytes: number) => Buffer }): KeyVault {
  const { db, random = randomBytes } = options;
  const keys = db.collection<KeyDocument>('keys');

  async function findKept(person: string): Promise<KeptKey | null> {
    const document = await keys.findOne({ _id: person });
    return document && parseKept(document);
  }

  async function insert(person: string, key: Buffer): Promise<KeptKey> {
    try {
      await keys.insertOne({ _id: person, key: new Binary(key) });
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
    const kept = await findKept(person);
    // Until it is durable, nobody can tell whether the other key, or the erasure, will stay.
    if (!kept) throw new StoreUnavailable('The key of a person is not durable yet.');
    return kept;
  }

  async function erase(person: string): Promise<void> {
    const forget = () => keys.updateOne({ _id: person }, { $set: { key: null } }, { upsert: true });
    try {
      await forget();
    } catch (error) {
      // Of two concurrent inserts one is refused, and then finds the other's document.
      if (!isDuplicateKey(error)) throw error;
      await forget();
    }
  }

  return {
    obtain: async (person) => ((await findKept(person)) ?? (await insert(person, random(KEY_BYTES)))).key,
    find: async (person) => (await findKept(person))?.key,
    erase,
    async list(after, limit) {
      const found = await keys.find({ _id: { $gt: after ?? '' } }, { sort: { _id: 1 }, limit }).toArray();
      return found.map(parseKept);
    },
    async restore({ person, key }) {
      if (key === null) return erase(person);
      const kept = await insert(person, key);
      if (kept.key !== null && !kept.key.equals(key)) throw new OtherKeyKept(`Person ${person} has another key.`);
    },
  };
}
