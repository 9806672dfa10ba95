import type { UserSave } from '../../contracts/people/user-requests.ts';
import { doneOrRefused } from '../../http/answers.ts';
import type { ApiDependencies } from '../../http/dependencies.ts';
import { commandRefused } from '../../http/problem-details.ts';
import { commandMeta } from '../../http/route.ts';
import type { VerifiedPerson } from '../../identity/identity-provider.ts';
import { countChange } from '../order/count-change-flow.ts';
import { currentGeneration } from './accounts-flow.ts';
import { closeAccount, listAdmin } from './admin-roles-flow.ts';
import { userDecider } from './decide-user.ts';

export type ProfileFields = Omit<UserSave, 'email'>;
type Request = { readonly requestId: string };

interface Saved {
  readonly modified: boolean;
  readonly version: number;
}

/**
 * The maximum number of registration attempts per sign-in. Another attempt is needed after an account with this e-mail
 * address is closed, either by another request during the attempt or by takeOver().
 */
const MAX_TRIES = 10;

/** Returns an access token for a person with a verified ID token (AUTH5). The first sign-in registers the person. */
export async function signIn(
  shop: ApiDependencies,
  person: VerifiedPerson,
  fields: ProfileFields,
  request: Request,
): Promise<Saved & { token: string }> {
  const { userId, modified } = await register(shop, person, request);
  const profile = await saveProfile(shop, userId, fields, request);
  const { token } = await shop.accessTokens.mint(person, userId);
  return { token, modified: modified || profile.modified, version: profile.version };
}

export async function saveProfile(
  shop: ApiDependencies,
  userId: string,
  fields: ProfileFields,
  request: Request,
): Promise<Saved> {
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  const by = { ...request, session: { userId } };
  if (Object.keys(given).length > 0) await countChange(shop, by);
  const meta = commandMeta(shop, by, 'save-profile');
  const saved = doneOrRefused(
    await shop.handler.execute(userDecider, userId, { type: 'SaveProfile', userId, fields: given }, meta),
  );
  return { modified: saved.events.length > 0, version: saved.version };
}

/**
 * Registers the person. An e-mail address can have several accounts, one after another, and each is numbered as a
 * generation (LOG3). If the current generation's account has a different uid at the identity provider, closes that
 * account and registers the person as the next generation.
 */
async function register(shop: ApiDependencies, person: VerifiedPerson, request: Request) {
  const { uid, email, name } = person;
  const grantAdmin = trusts(shop, person) && shop.settings.adminEmails.includes(email);
  for (let tries = 1; ; tries += 1) {
    const { userId, state } = await currentGeneration(shop.handler, shop.secrets.userId, email);
    if (state.status === 'registered' && state.uid !== uid && tries < MAX_TRIES) {
      await takeOver(shop, { userId, uid: state.uid }, person, request);
      continue;
    }
    const meta = commandMeta(shop, { ...request, session: { userId } }, 'sign-in');
    const command = { type: 'RegisterUser', userId, uid, email, name, grantAdmin } as const;
    const outcome = await shop.handler.execute(userDecider, userId, command, meta);
    if (outcome.kind === 'done') {
      await listAdmin(shop.handler, userId, outcome.state, meta);
      return { userId, modified: outcome.events.length > 0 };
    }
    if (outcome.refusal.code !== 'account_closed' || tries === MAX_TRIES) throw commandRefused(outcome.refusal);
  }
}

function trusts(shop: ApiDependencies, { emailVerified }: { readonly emailVerified: boolean }): boolean {
  return emailVerified || shop.clientConfig.firebase.mode === 'demo';
}

/**
 * Closes the old account when a new user signs in with its e-mail address (AUTH5). Refuses if the address isn't
 * verified for the new user, or if the provider has verified it for the old account.
 */
async function takeOver(
  shop: ApiDependencies,
  old: { readonly userId: string; readonly uid: string },
  newcomer: VerifiedPerson,
  request: Request,
): Promise<void> {
  if (!trusts(shop, newcomer) || (await holdsEmail(shop, old.uid, newcomer.email))) {
    throw commandRefused({ code: 'other_account' });
  }
  const meta = commandMeta(shop, { ...request, session: { userId: 'system:sign-in' } }, 'take-over');
  // Even the last admin's account may be closed here, since nobody can use that account anymore.
  doneOrRefused(await closeAccount(shop, old.userId, { reason: 'taken_over', evenIfLast: true }, meta));
}

/** Returns whether the provider has verified this e-mail address for the account `uid`. @throws IdentityUnavailable */
async function holdsEmail(shop: ApiDependencies, uid: string, email: string): Promise<boolean> {
  const account = (await shop.identity.accounts([uid])).get(uid);
  return account !== undefined && account.email === email && trusts(shop, account);
}
