import type { CloseReason } from '../../contracts/people/close-reasons.ts';
import type { CommandMeta, Outcome } from '../../engine/commands/command.ts';
import type { CommandHandler } from '../../engine/commands/command-handler.ts';
import type { ReadModels } from '../../engine/read-models/read-models.ts';
import { ADMINS, adminsDecider, type DelistAdmin, delistedGrant, hasOtherAdmin } from './admins.ts';
import { userDecider } from './decide-user.ts';
import { grantInForce, type UserState } from './user.ts';
import { allAdmins } from './user-documents.ts';

/**
 * An admin's role is recorded on their own user stream, and a single shared stream contains the list of all admins.
 * Granting the role first appends to the user's stream, and then adds the user to the list.
 *
 * Revoking the role first removes the user from the list (delists the user), and then appends to the user's stream. The
 * list comes first because only the version check on its stream prevents two admins from revoking each other's role at
 * the same time, which would leave no admin.
 *
 * If a call is interrupted, an admin may be missing from the list. This is safe, because the shop counts only listed
 * admins when it checks that another admin remains. Repeating the call completes the change.
 */
export interface AdminRoles {
  readonly handler: CommandHandler;
  readonly readModels: Pick<ReadModels, 'findIds'>;
}

/**
 * The maximum number of attempts to end a user's admin role. An attempt fails if the role is granted again in the
 * meantime. If the last attempt fails too, the caller gets `last_admin`.
 */
const MAX_ATTEMPTS = 10;

export async function grantAdmin(shop: AdminRoles, userId: string, meta: CommandMeta): Promise<Outcome<UserState>> {
  const { handler } = shop;
  const { state } = await handler.load(adminsDecider, ADMINS);
  // A revocation that is in progress or was interrupted may have removed the current grant from the list of admins. If
  // so, this command replaces that grant with a new one.
  const command = { type: 'GrantAdmin', delisted: delistedGrant(state, userId) } as const;
  const outcome = await handler.execute(userDecider, userId, command, meta);
  if (outcome.kind === 'done') await listAdmin(handler, userId, outcome.state, meta);
  return outcome;
}

/** Adds an admin to the list of admins, with the number of the current grant. A person's grants are numbered from 1. */
export async function listAdmin(
  handler: CommandHandler,
  userId: string,
  state: UserState,
  meta: CommandMeta,
): Promise<void> {
  const grant = grantInForce(state);
  if (grant === 0) return;
  const listing = { ...meta, cause: `list-admin:${userId}:${grant}` };
  await handler.execute(adminsDecider, ADMINS, { type: 'ListAdmin', userId, grant }, listing, { bypassLimits: true });
}

/** Turns an admin back into a customer, but refuses if this is the last admin. */
export function revokeAdmin(shop: AdminRoles, userId: string, meta: CommandMeta): Promise<Outcome<UserState>> {
  return endRole(shop, userId, { type: 'RevokeAdmin' }, { evenIfLast: false }, meta);
}

/** Closes an account. Refuses to close the last admin's account unless `evenIfLast` is set. */
export function closeAccount(
  shop: AdminRoles,
  userId: string,
  { reason, evenIfLast = false }: { readonly reason: CloseReason; readonly evenIfLast?: boolean },
  meta: CommandMeta,
): Promise<Outcome<UserState>> {
  return endRole(shop, userId, { type: 'CloseAccount', reason }, { evenIfLast }, meta);
}

/**
 * Returns true if an admin other than this person is on the list of admins. Call completeAdminList() first.
 */
export async function isOtherAdminListed(handler: CommandHandler, userId: string): Promise<boolean> {
  return hasOtherAdmin((await handler.load(adminsDecider, ADMINS)).state, userId);
}

/**
 * Completes the list of admins. Call this before `userId` is removed from the list. If the list has no admin other than
 * `userId`, adds all admins, because a grant may have been interrupted before its admin was added.
 */
export async function completeAdminList(shop: AdminRoles, userId: string, meta: CommandMeta): Promise<void> {
  const { handler, readModels } = shop;
  if (await isOtherAdminListed(handler, userId)) return;
  for (const { id } of await readModels.findIds(allAdmins)) {
    await listAdmin(handler, id, (await handler.load(userDecider, id)).state, meta);
  }
}

function delistAdmin(handler: CommandHandler, command: Omit<DelistAdmin, 'type'>, meta: CommandMeta) {
  const delisting = { ...meta, cause: `delist-admin:${command.userId}:${command.grant}` };
  return handler.execute(adminsDecider, ADMINS, { type: 'DelistAdmin', ...command }, delisting);
}

/**
 * The command that ends the admin role on the user's stream. endRole() adds the field `delisted`: the number of the
 * grant that was removed from the list of admins.
 */
type Ending = { readonly type: 'RevokeAdmin' } | { readonly type: 'CloseAccount'; readonly reason: CloseReason };

/**
 * Removes an admin from the list of admins, and then revokes the role or closes the account on the user's stream. If a
 * call is interrupted between these two steps, repeating the call completes the change.
 */
async function endRole(
  shop: AdminRoles,
  userId: string,
  ending: Ending,
  { evenIfLast }: Pick<DelistAdmin, 'evenIfLast'>,
  meta: CommandMeta,
) {
  const { handler } = shop;
  for (let attempts = 1; ; attempts += 1) {
    const { state } = await handler.load(userDecider, userId);
    const grant = grantInForce(state);
    if (grant > 0) {
      if (!evenIfLast) await completeAdminList(shop, userId, meta);
      const delisting = await delistAdmin(handler, { userId, grant, evenIfLast }, meta);
      if (delisting.kind === 'refused') return delisting;
    }
    const end = { ...ending, delisted: grant };
    const outcome = await handler.execute(userDecider, userId, end, meta, { bypassLimits: grant > 0 });
    // The command on the user's stream ends only the grant that was removed from the list of admins. If the role has
    // been granted again since then, the command is refused with `last_admin`.
    const grantedAgain = outcome.kind === 'refused' && outcome.refusal.code === 'last_admin';
    if (!grantedAgain || attempts === MAX_ATTEMPTS) return outcome;
  }
}
