import type { KeyVault } from '../engine/log/key-vault.ts';
import { type Clock, isoTime } from '../runtime/clock.ts';
import { userDecider } from '../shop/user/decide-user.ts';
import { type AdminRoles, closeAccount } from './admin-roles.ts';

const PAGE = 1_000;

export async function erasedPersons(vault: Pick<KeyVault, 'list'>): Promise<string[]> {
  const erased: string[] = [];
  for (let page = await vault.list(null, PAGE); page.length > 0; ) {
    erased.push(...page.filter(({ key }) => key === null).map(({ person }) => person));
    page = await vault.list(page.at(-1)?.person ?? null, PAGE);
  }
  return erased;
}

/** Closes the accounts that a restored log opened again, which erases these persons again (BACKUP1). Returns their number. @throws Error where one stays open */
export async function closeErasedAccounts(
  shop: AdminRoles & { readonly vault: Pick<KeyVault, 'list'> },
  clock: Clock,
): Promise<number> {
  const time = isoTime(clock());
  let closed = 0;
  for (const person of await erasedPersons(shop.vault)) {
    if ((await shop.handler.load(userDecider, person)).state.status !== 'registered') continue;
    const meta = { cause: `erase-again:${person}`, actor: 'system:restore', correlationId: `restore:${time}`, time };
    const outcome = await closeAccount(shop, person, { reason: 'erased', evenIfLast: true }, meta);
    if (outcome.kind === 'refused') throw new Error(`Account ${person} stays open: ${outcome.refusal.code}.`);
    closed += 1;
  }
  return closed;
}
