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

/** The schema is strict, so that a malformed document isn't mistaken for an erased key. */
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

/** An erased key stays in the server's journal and oplog until they roll over. */
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
    // Another process has stored a key or an erasure for this person, but not durably yet, so it could still be rolled
    // back.
    if (!kept) throw new StoreUnavailable('The key of a person is not durable yet.');
    return kept;
  }

  async function erase(person: string): Promise<void> {
    const forget = () => keys.updateOne({ _id: person }, { $set: { key: null } }, { upsert: true });
    try {
      await forget();
    } catch (error) {
      // If two processes insert the document at the same time, one insert is refused. The retry then updates the
      // document that the other process inserted.
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
