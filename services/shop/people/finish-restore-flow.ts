import type { CommandMeta } from '../../engine/commands/command.ts';
import type { KeyVault } from '../../engine/log/key-vault.ts';
import { type Clock, isoTime } from '../../runtime/clock.ts';
import { NUMBERS, numbersDecider } from '../order/decide-numbers.ts';
import { type AdminRoles, closeAccount } from './admin-roles-flow.ts';
import { userDecider } from './decide-user.ts';

/**
 * How many order numbers a restore skips: more than a busy shop uses between two backups, but few enough that order
 * numbers stay short.
 */
const SKIPPED_NUMBERS = 1000;
const PAGE = 1_000;

type RestoredShop = AdminRoles & { readonly vault: Pick<KeyVault, 'list'> };

export async function erasedPersons(vault: Pick<KeyVault, 'list'>): Promise<string[]> {
  const erased: string[] = [];
  for (let page = await vault.list(null, PAGE); page.length > 0; ) {
    erased.push(...page.filter(({ key }) => key === null).map(({ person }) => person));
    page = await vault.list(page.at(-1)?.person ?? null, PAGE);
  }
  return erased;
}

/**
 * Completes a restore. Call this before anything is projected from the log. Closes the accounts of people whose data
 * was erased after the backup was taken, so that this data is erased again (BACKUP1). Skips order numbers that may
 * belong to orders lost in the restore (ORD8). Returns the number of accounts that were closed.
 */
export async function finishRestore(shop: RestoredShop, clock: Clock): Promise<number> {
  const time = isoTime(clock());
  const meta = { cause: `restore:${time}`, actor: 'system:restore', correlationId: `restore:${time}`, time };
  const closed = await closeErasedAccounts(shop, meta);
  await shop.handler.execute(numbersDecider, NUMBERS, { type: 'ReserveNumbers', count: SKIPPED_NUMBERS }, meta);
  return closed;
}

/**
 * Closes each account that is open in the restored log even though its owner's data has been erased. Returns the number
 * of accounts that were closed.
 * @throws Error if an account can't be closed
 */
async function closeErasedAccounts(shop: RestoredShop, meta: CommandMeta): Promise<number> {
  let closed = 0;
  for (const userId of await erasedPersons(shop.vault)) {
    if ((await shop.handler.load(userDecider, userId)).state.status !== 'registered') continue;
    const erasing = { ...meta, cause: `erase-again:${userId}` };
    const outcome = await closeAccount(shop, userId, { reason: 'erased', evenIfLast: true }, erasing);
    if (outcome.kind === 'refused') throw new Error(`Could not close account ${userId}: ${outcome.refusal.code}.`);
    closed += 1;
  }
  return closed;
}
