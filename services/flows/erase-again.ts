import type { KeyVault } from '../engine/log/key-vault.ts';
import { type Clock, isoTime } from '../runtime/clock.ts';
import { userDecider } from '../shop/user/decide-user.ts';
import { type AdminRoles, closeAccount } from './admin-roles.ts';

const PAGE = 1_000;

/** Everybody whose key was erased. */
export async function erasedPersons(vault: Pick<KeyVault, 'list'>): Promise<string[]> {
  const erased: string[] = [];
  for (let page = await vault.list(null, PAGE); page.length > 0; ) {
    erased.push(...page.filter(({ key }) => key === null).map(({ person }) => person));
    page = await vault.list(page.at(-1)?.person ?? null, PAGE);
  }
  return erased;
}

/**
 * Closes, in a log that was restored to a moment before their erasure, the account of everybody whose key was erased: what
 * follows from that erases them again, and who comes back begins anew (BACKUP1). Returns how many there were.
 */
export async function closeErased(
  shop: AdminRoles & { readonly vault: Pick<KeyVault, 'list'> },
  clock: Clock,
): Promise<number> {
  const time = isoTime(clock());
  let closed = 0;
  for (const person of await erasedPersons(shop.vault)) {
    if ((await shop.handler.load(userDecider, person)).state.status !== 'registered') continue;
    const meta = { cause: `erase-again:${person}`, actor: 'system:restore', correlationId: `restore:${time}`, time };
    // Whether it is the last admin's was asked when the person was erased.
    await closeAccount(shop, person, { reason: 'erased', lastToo: true }, meta);
    closed += 1;
  }
  return closed;
}
