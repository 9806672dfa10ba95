import type { AnyBulkWriteOperation, Collection } from 'mongodb';
import type { AnyDocument } from '../../contracts/documents.ts';
import { duplicateKeys } from './mongo.ts';
import { AS_SAVED, type KeptDocument } from './mongo-kept-document.ts';

/**
 * Saves each document only if its version is higher than the stored one (PRJ1). The collection must have no other unique
 * index. Returns what is stored in place of the others, by id. Throws any other error; then some may be saved, and a retry
 * is safe.
 */
export async function saveNewer<D extends AnyDocument>(
  collection: Collection<KeptDocument>,
  documents: readonly KeptDocument[],
): Promise<Map<string, D>> {
  const newest = newestOfEach(documents);
  if (newest.length === 0) return new Map();
  const taken = await takenIds(() => collection.bulkWrite(replacements(newest, { upsert: true }), { ordered: false }));
  const refused = newest.filter((_, index) => taken.includes(index));
  if (refused.length > 0) {
    // Of two concurrent inserts the higher version may be the one refused; now that the document exists, it is replaced if it is older.
    await collection.bulkWrite(replacements(refused, { upsert: false }), { ordered: false });
  }
  const unsaved = [...refused, ...documents.filter((document) => !newest.includes(document))];
  if (unsaved.length === 0) return new Map();
  const ids = unsaved.map(({ _id }) => _id);
  const kept = await collection.find<D>({ _id: { $in: ids } }, { projection: AS_SAVED }).toArray();
  return new Map(kept.map((document) => [document.id, document]));
}

/** One operation per id, since those of a batch run in no order. */
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

/** Returns the indexes of operations whose id is taken. @throws where any failed for another reason */
async function takenIds(write: () => Promise<unknown>): Promise<number[]> {
  try {
    await write();
    return [];
  } catch (error) {
    return duplicateKeys(error);
  }
}
