import type { UserSave } from '../contracts/http.ts';
import { userDecider } from '../domain/user/decide-user.ts';
import { mintAccessToken } from '../identity/access-token.ts';
import type { VerifiedPerson } from '../identity/identity-provider.ts';
import { doneOrRefused } from './answers.ts';
import { currentGeneration } from './current-generation.ts';
import type { ApiDependencies } from './dependencies.ts';
import { CommandRefused } from './problem-details.ts';
import { commandMeta } from './route.ts';

export type ProfileFields = Omit<UserSave, 'email'>;
type Request = { readonly requestId: string };

interface Saved {
  readonly modified: boolean;
  readonly version: number;
}

/** An account may be closed while its person signs in; each time that costs one more try. */
const MAX_TRIES = 10;

/** The first call after sign-in (C1): registers the person at the first of them, and mints the access token (AUTH5). */
export async function signIn(
  shop: ApiDependencies,
  person: VerifiedPerson,
  fields: ProfileFields,
  request: Request,
): Promise<Saved & { token: string }> {
  const { settings, clock } = shop;
  const { userId, modified } = await register(shop, person, request);
  const profile = await saveProfile(shop, userId, fields, request);
  const { token } = await mintAccessToken({ secret: settings.accessTokenSecret, clock, person, userId });
  return { token, modified: modified || profile.modified, version: profile.version };
}

/** Saves the fields given of a profile. */
export async function saveProfile(
  shop: ApiDependencies,
  userId: string,
  fields: ProfileFields,
  request: Request,
): Promise<Saved> {
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  const meta = commandMeta(shop, request, userId, `save-profile:${request.requestId}`);
  const saved = doneOrRefused(
    await shop.handler.execute(userDecider, userId, { type: 'SaveProfile', userId, fields: given }, meta),
  );
  return { modified: saved.events.length > 0, version: saved.version };
}

/** Registers the person in the generation that their e-mail has come to (LOG3). */
async function register(shop: ApiDependencies, person: VerifiedPerson, request: Request) {
  const { settings, clientConfig } = shop;
  const { uid, email, name } = person;
  const trusted = person.emailVerified || clientConfig.firebase.mode === 'demo';
  const grantAdmin = trusted && settings.adminEmails.includes(email);
  for (let tries = 1; ; tries += 1) {
    const { userId } = await currentGeneration(shop, email);
    const meta = commandMeta(shop, request, userId, `sign-in:${request.requestId}`);
    const command = { type: 'RegisterUser', userId, uid, email, name, grantAdmin } as const;
    const outcome = await shop.handler.execute(userDecider, userId, command, meta);
    if (outcome.kind === 'done') return { userId, modified: outcome.events.length > 0 };
    if (outcome.refusal.code !== 'account_closed' || tries === MAX_TRIES) throw new CommandRefused(outcome.refusal);
  }
}
