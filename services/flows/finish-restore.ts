import type { KeyVault } from '../engine/log/key-vault.ts';
import { type Clock, isoTime } from '../runtime/clock.ts';
import { NUMBERS, numbersDecider } from '../shop/numbers/decide-numbers.ts';
import type { AdminRoles } from './admin-roles.ts';
import { closeErasedAccounts } from './close-erased-accounts.ts';

/** More than are given out between two backups of a busy day, and still numbers that people can say. */
const SKIPPED_NUMBERS = 1000;

/**
 * Finishes a restore before anything is projected from the log. Erases again the people who were erased after the backup (BACKUP1), and
 * skips the order numbers that lost orders may have (ORD8). Returns the number of closed accounts.
 */
export async function finishRestore(
  shop: AdminRoles & { readonly vault: Pick<KeyVault, 'list'> },
  clock: Clock,
): Promise<number> {
  const closed = await closeErasedAccounts(shop, clock);
  const time = isoTime(clock());
  const meta = { cause: `restore:${time}`, actor: 'system:restore', correlationId: `restore:${time}`, time };
  await shop.handler.execute(numbersDecider, NUMBERS, { type: 'ReserveNumbers', count: SKIPPED_NUMBERS }, meta);
  return closed;
}
