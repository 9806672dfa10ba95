import type { AnyBulkWriteOperation, Collection } from 'mongodb';
import type { AnyDocument } from '../../contracts/documents.ts';
import { duplicateKeys } from './mongo.ts';
import { AS_SAVED, type KeptDocument } from './mongo-kept-document.ts';

/**
 * Saves each document only if its version is higher than the stored version (PRJ1). For each document, returns the
 * stored document if that one is newer, or else null. The collection must not have a unique index other than the one on
 * `_id`. If this function throws, some documents may have been saved, but it is safe to retry.
 */
export async function saveNewer<D extends AnyDocument>(
  collection: Collection<KeptDocument>,
  documents: readonly KeptDocument[],
): Promise<(D | null)[]> {
  const newest = newestOfEach(documents);
  const refused = await insertOrReplace(collection, newest);
  const unsaved = [...refused, ...documents.filter((document) => !newest.includes(document))];
  if (unsaved.length === 0) return documents.map(() => null);
  const ids = unsaved.map(({ _id }) => _id);
  const stored = await collection.find<D>({ _id: { $in: ids } }, { projection: AS_SAVED }).toArray();
  return documents.map(({ _id, version }) => stored.find((one) => one.id === _id && one.version > version) ?? null);
}

/**
 * Inserts new documents and replaces older ones. Returns the documents whose upsert failed because their id was already
 * taken.
 */
async function insertOrReplace(
  collection: Collection<KeptDocument>,
  documents: readonly KeptDocument[],
): Promise<KeptDocument[]> {
  try {
    await collection.bulkWrite(replacements(documents, { upsert: true }), { ordered: false });
    return [];
  } catch (error) {
    const taken = duplicateKeys(error);
    const refused = documents.filter((_, index) => taken.includes(index));
    // If two processes insert the same document at the same time, the server may refuse the insert with the higher
    // version. Each refused document is therefore sent again, and replaces the stored document if the stored version is
    // lower.
    await collection.bulkWrite(replacements(refused, { upsert: false }), { ordered: false });
    return refused;
  }
}

/**
 * Returns only the newest version of each document, because the operations of an unordered batch may run in any order.
 */
function newestOfEach(documents: readonly KeptDocument[]): KeptDocument[] {
  const newest = new Map<string, KeptDocument>();
  for (const document of documents) {
    const other = newest.get(document._id);
    if (!other || other.version < document.version) newest.set(document._id, document);
  }
  return [...newest.values()];
}

function replacements(documents: readonly KeptDocument[], { upsert }: { upsert: boolean }) {
  return documents.map(({ _id, ...replacement }): AnyBulkWriteOperation<KeptDocument> => {
    const filter = { _id, version: { $lt: replacement.version } };
    return { replaceOne: { filter, replacement, upsert } };
  });
}
