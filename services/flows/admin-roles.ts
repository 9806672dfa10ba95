import type { CloseReason } from '../contracts/reasons.ts';
import type { CommandMeta, Outcome } from '../engine/commands/command.ts';
import type { CommandHandler } from '../engine/commands/command-handler.ts';
import type { ReadModels } from '../engine/read-models/read-models.ts';
import { ADMINS, adminsDecider, type DelistAdmin, delistedGrant, hasOtherAdmin } from '../shop/user/admins.ts';
import { userDecider } from '../shop/user/decide-user.ts';
import { grantInForce, type UserState } from '../shop/user/user.ts';

export interface AdminRoles {
  readonly handler: CommandHandler;
  readonly readModels: Pick<ReadModels, 'adminIds'>;
}

/** Each grant made while the role is being ended costs one more try. */
const MAX_TRIES = 10;

export async function grantAdmin(shop: AdminRoles, person: string, meta: CommandMeta): Promise<Outcome<UserState>> {
  const { handler } = shop;
  const { state } = await handler.load(adminsDecider, ADMINS);
  // A revocation under way, or cut off, has delisted the present grant: a new one replaces it.
  const command = { type: 'GrantAdmin', delisted: delistedGrant(state, person) } as const;
  const outcome = await handler.execute(userDecider, person, command, meta);
  if (outcome.kind === 'done') await listAdmin(handler, person, outcome.state, meta);
  return outcome;
}

export async function listAdmin(
  handler: CommandHandler,
  person: string,
  state: UserState,
  meta: CommandMeta,
): Promise<void> {
  const grant = grantInForce(state);
  if (grant === 0) return;
  const listing = { ...meta, cause: `list-admin:${person}:${grant}` };
  await handler.execute(adminsDecider, ADMINS, { type: 'ListAdmin', person, grant }, listing, { admitted: true });
}

/** Makes an admin a plain customer again; refused for the last one. */
export function revokeAdmin(shop: AdminRoles, person: string, meta: CommandMeta): Promise<Outcome<UserState>> {
  return endRole(shop, person, { type: 'RevokeAdmin' }, { evenIfLast: false }, meta);
}

/** Closes an account; refused for that of the last admin, unless `evenIfLast`. */
export function closeAccount(
  shop: AdminRoles,
  person: string,
  { reason, evenIfLast = false }: { readonly reason: CloseReason; readonly evenIfLast?: boolean },
  meta: CommandMeta,
): Promise<Outcome<UserState>> {
  return endRole(shop, person, { type: 'CloseAccount', reason }, { evenIfLast }, meta);
}

/** Whether an admin other than this person is listed. repairAdminList() makes the list true first. */
export async function isOtherAdminListed(handler: CommandHandler, person: string): Promise<boolean> {
  return hasOtherAdmin((await handler.load(adminsDecider, ADMINS)).state, person);
}

/** Corrects the list before this person leaves it: former admins are delisted, and if nobody else is left, all admins are listed. */
export async function repairAdminList(shop: AdminRoles, person: string, meta: CommandMeta): Promise<void> {
  const { handler, readModels } = shop;
  await delistFormerAdmins(handler, person, meta);
  if (await isOtherAdminListed(handler, person)) return;
  // The log may be older than the stream of admins.
  for (const id of await readModels.adminIds()) {
    await listAdmin(handler, id, (await handler.load(userDecider, id)).state, meta);
  }
  await delistFormerAdmins(handler, person, meta);
}

/** Delists everyone but this person whose role has ended on their own stream: copies of an older version don't delist. */
async function delistFormerAdmins(handler: CommandHandler, person: string, meta: CommandMeta): Promise<void> {
  const { state } = await handler.load(adminsDecider, ADMINS);
  for (const [other, { grant, listed }] of state) {
    if (!listed || other === person) continue;
    const inForce = grantInForce((await handler.load(userDecider, other)).state);
    if (inForce !== grant) await delistAdmin(handler, { person: other, grant, evenIfLast: true }, meta);
  }
}

function delistAdmin(handler: CommandHandler, command: Omit<DelistAdmin, 'type'>, meta: CommandMeta) {
  const delisting = { ...meta, cause: `delist-admin:${command.person}:${command.grant}` };
  return handler.execute(adminsDecider, ADMINS, { type: 'DelistAdmin', ...command }, delisting);
}

/** A command that ends the role on the user's stream, before it is known which grant was delisted. */
type Ending = { readonly type: 'RevokeAdmin' } | { readonly type: 'CloseAccount'; readonly reason: CloseReason };

/** Delists an admin, then ends the role on the user's stream. A call that was cut in between is finished by the same call. */
async function endRole(
  shop: AdminRoles,
  person: string,
  ending: Ending,
  { evenIfLast }: Pick<DelistAdmin, 'evenIfLast'>,
  meta: CommandMeta,
) {
  const { handler } = shop;
  for (let tries = 1; ; tries += 1) {
    const { state } = await handler.load(userDecider, person);
    const grant = grantInForce(state);
    if (grant > 0) {
      if (!evenIfLast) await repairAdminList(shop, person, meta);
      const delisted = await delistAdmin(handler, { person, grant, evenIfLast }, meta);
      if (delisted.kind === 'refused') return delisted;
    }
    const outcome = await handler.execute(userDecider, person, { ...ending, delisted: grant }, meta, {
      admitted: grant > 0,
    });
    const grantedAgain = outcome.kind === 'refused' && outcome.refusal.code === 'last_admin';
    if (!grantedAgain || tries === MAX_TRIES) return outcome;
  }
}
