import type { AnyBulkWriteOperation, Collection } from 'mongodb';
import { duplicateKeys } from '../runtime/mongo.ts';
import type { KeptDocument } from './mongo-kept-document.ts';

/**
 * Saves all, each only if its version is higher than the one kept (PRJ1). Nothing else may be unique in the collection.
 * @throws whatever else goes wrong; some may be saved then, and saving all again does no harm
 */
export async function saveNewer(
  collection: Collection<KeptDocument>,
  documents: readonly KeptDocument[],
): Promise<void> {
  const newest = newestOfEach(documents);
  if (newest.length === 0) return;
  const taken = await takenIds(() => collection.bulkWrite(replacements(newest, { upsert: true }), { ordered: false }));
  if (taken.length === 0) return;
  // Where two insert one id at once, the higher version may be the one refused. By now the document is there: either its
  // version is the lower one and it is replaced, or it is no older.
  const refused = newest.filter((_, index) => taken.includes(index));
  await collection.bulkWrite(replacements(refused, { upsert: false }), { ordered: false });
}

/** One operation for each id, since those of one batch run in no order. */
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

/** Which operations found their id taken, by index. @throws where any failed for another reason */
async function takenIds(write: () => Promise<unknown>): Promise<number[]> {
  try {
    await write();
    return [];
  } catch (error) {
    return duplicateKeys(error);
  }
}
