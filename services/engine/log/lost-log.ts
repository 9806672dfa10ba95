import { everyDocument } from '../../contracts/document-queries.ts';
import { DOCUMENT_KINDS } from '../../contracts/ids.ts';
import { ReadableError } from '../../runtime/readable-error.ts';
import type { ShopCore } from '../shop-core.ts';

export class LostLogError extends ReadableError {
  override readonly name = 'LostLogError';
}

/**
 * Rejects if the log is empty although keys or documents exist. In that case the log has been lost, and the shop must
 * not start as if it were new (LOG6). @throws LostLogError
 */
export async function assertLogIsThere(
  { log, vault, readModels }: Pick<ShopCore, 'log' | 'vault' | 'readModels'>,
  place: string,
): Promise<void> {
  const { events } = await log.readAll(null, 1);
  if (events.length > 0) return;
  const [keys, ...documents] = await Promise.all([
    vault.list(null, 1),
    ...DOCUMENT_KINDS.map((kind) => readModels.findIds(everyDocument(kind), { limit: 1 })),
  ]);
  const left = [...((keys?.length ?? 0) > 0 ? ['keys'] : []), ...(documents.flat().length > 0 ? ['documents'] : [])];
  if (left.length === 0) return;
  throw new LostLogError(
    `The log in ${place} is missing or empty, but ${left.join(' and ')} of a shop stand beside it: restore it from a backup.`,
  );
}
