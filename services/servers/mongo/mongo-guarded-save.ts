import type { AnyBulkWriteOperation, Collection } from 'mongodb';
import type { AnyDocument } from '../../contracts/documents.ts';
import { duplicateKeys } from './mongo.ts';
import { AS_SAVED, type KeptDocument } from './mongo-kept-document.ts';

/**
 * Saves all, each only if its version is higher than the one kept (PRJ1). Nothing else may be unique in the collection.
 * Answers, by id, what is kept in place of those that were not saved.
 * @throws whatever else goes wrong; some may be saved then, and saving all again does no harm
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
    // Where two insert one id at once, the higher version may be the one refused. By now the document is there: either its
    // version is the lower one and it is replaced, or it is no older.
    await collection.bulkWrite(replacements(refused, { upsert: false }), { ordered: false });
  }
  const unsaved = [...refused, ...documents.filter((document) => !newest.includes(document))];
  if (unsaved.length === 0) return new Map();
  const ids = unsaved.map(({ _id }) => _id);
  const kept = await collection.find<D>({ _id: { $in: ids } }, { projection: AS_SAVED }).toArray();
  return new Map(kept.map((document) => [document.id, document]));
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
