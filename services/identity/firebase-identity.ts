import { randomUUID } from 'node:crypto';
import type { App } from 'firebase-admin/app';
import type { Auth, UserRecord } from 'firebase-admin/auth';
import { z } from 'zod';
import { emailSchema } from '../contracts/request-fields.ts';
import { within } from '../runtime/store-unavailable.ts';
import {
  type IdentityProvider,
  IdentityUnavailable,
  type IdTokenRefusal,
  IdTokenRefused,
  type ProviderAccount,
  type VerifiedPerson,
} from './identity-provider.ts';

export type FirebaseIdentityOptions =
  /** real Firebase, with application default credentials */
  | { mode: 'live'; projectId: string }
  /** the Auth emulator at `emulatorHost` (`127.0.0.1:port`), whose tokens are unsigned */
  | { mode: 'demo'; projectId: string; emulatorHost: string };

const EMULATOR_VARIABLE = 'FIREBASE_AUTH_EMULATOR_HOST';

const CALL_TIMEOUT_MS = 10_000;
const MAX_BATCH_SIZE = 100;

/** The firebase-admin error codes for refused tokens. Any other code means that the provider is unavailable. */
const REFUSALS: Record<string, IdTokenRefusal> = {
  'auth/argument-error': 'malformed',
  'auth/invalid-id-token': 'malformed',
  'auth/invalid-uid': 'malformed',
  'auth/id-token-expired': 'expired',
  'auth/id-token-revoked': 'revoked',
  'auth/user-disabled': 'disabled',
  'auth/user-not-found': 'unknown_user',
};

/** firebase-admin also throws `auth/argument-error` if it can't fetch Google's signing keys. Only the message identifies that case. */
const KEYS_NOT_FETCHED = /^Error (fetching public keys|while making request)/;

const firebaseErrorSchema = z.object({ code: z.string(), message: z.string() });

export function identityErrorOf(error: unknown): IdTokenRefused | IdentityUnavailable {
  if (error instanceof IdTokenRefused || error instanceof IdentityUnavailable) return error;
  const parsed = firebaseErrorSchema.safeParse(error);
  const refusal = parsed.success ? REFUSALS[parsed.data.code] : undefined;
  if (!parsed.success || !refusal || KEYS_NOT_FETCHED.test(parsed.data.message)) {
    return new IdentityUnavailable({ cause: error });
  }
  return new IdTokenRefused(refusal, { cause: error });
}

function personOf(user: UserRecord, signedInAt: number): VerifiedPerson {
  const email = emailSchema.safeParse(user.email);
  if (!email.success) throw new IdTokenRefused('no_email');
  return {
    uid: user.uid,
    email: email.data,
    emailVerified: user.emailVerified,
    name: user.displayName?.trim() || email.data.slice(0, email.data.indexOf('@')),
    signedInAt,
  };
}

async function accountsOf(auth: Auth, uids: readonly string[]): Promise<Map<string, ProviderAccount>> {
  const distinct = [...new Set(uids)];
  const found = new Map<string, ProviderAccount>();
  for (let from = 0; from < distinct.length; from += MAX_BATCH_SIZE) {
    const asked = distinct.slice(from, from + MAX_BATCH_SIZE).map((uid) => ({ uid }));
    const { users } = await inTime(() => auth.getUsers(asked));
    for (const user of users) found.set(user.uid, accountOf(user));
  }
  return found;
}

function accountOf({ email, emailVerified, disabled, tokensValidAfterTime }: UserRecord): ProviderAccount {
  const parsed = emailSchema.safeParse(email);
  return {
    email: parsed.success ? parsed.data : null,
    emailVerified,
    disabled,
    sessionsValidFrom: tokensValidAfterTime === undefined ? 0 : Date.parse(tokensValidAfterTime),
  };
}

function inTime<T>(call: () => Promise<T>): Promise<T> {
  return within(CALL_TIMEOUT_MS, call, () => new IdentityUnavailable());
}

/**
 * Sets FIREBASE_AUTH_EMULATOR_HOST in demo mode. firebase-admin then accepts unsigned tokens, so the project id must
 * start with `demo-`, which marks a project without live resources (AUTH4). @throws Error for another project id, or if
 * the variable is set in live mode
 */
function chooseEmulator(options: FirebaseIdentityOptions): void {
  if (options.mode === 'demo') {
    if (!options.projectId.startsWith('demo-')) {
      throw new Error(`The identity emulator needs a project id that starts with demo-, not ${options.projectId}.`);
    }
    process.env[EMULATOR_VARIABLE] = options.emulatorHost;
  } else if (process.env[EMULATOR_VARIABLE]) {
    throw new Error(`${EMULATOR_VARIABLE} turns signature checks off. Unset it to use real Firebase.`);
  }
}

/** Returns an identity provider backed by Firebase Auth or its emulator. close() releases firebase-admin's resources. */
export function createFirebaseIdentity(
  options: FirebaseIdentityOptions,
): IdentityProvider & { close(): Promise<void> } {
  chooseEmulator(options);
  let opening: Promise<{ app: App; auth: Auth; deleteApp: (app: App) => Promise<void> }> | null = null;

  /** Loads firebase-admin on the first call to the provider. The package is large and would otherwise delay startup. */
  async function open() {
    const { initializeApp, deleteApp } = await import('firebase-admin/app');
    const { getAuth } = await import('firebase-admin/auth');
    const app = initializeApp({ projectId: options.projectId }, `micro-center-${randomUUID()}`);
    return { app, auth: getAuth(app), deleteApp };
  }

  async function admin(): Promise<Auth> {
    opening ??= open();
    return (await opening).auth;
  }

  async function verify(token: string): Promise<VerifiedPerson> {
    const auth = await admin();
    const claims = await auth.verifyIdToken(token, true);
    // Use the account's current data instead of the token's claims. The e-mail address may have been verified since the
    // token was issued, and the emulator's tokens are unsigned.
    return personOf(await auth.getUser(claims.uid), claims.auth_time * 1000);
  }

  return {
    async verifyIdToken(token) {
      try {
        return await inTime(() => verify(token));
      } catch (error) {
        throw identityErrorOf(error);
      }
    },
    async accounts(uids) {
      try {
        return await accountsOf(await admin(), uids);
      } catch (error) {
        throw error instanceof IdentityUnavailable ? error : new IdentityUnavailable({ cause: error });
      }
    },
    async deleteAccount(uid) {
      try {
        await inTime(async () => (await admin()).deleteUser(uid));
      } catch (error) {
        const refused = identityErrorOf(error);
        if (refused instanceof IdTokenRefused && refused.reason === 'unknown_user') return;
        throw new IdentityUnavailable({ cause: error });
      }
    },
    async close() {
      if (options.mode === 'demo' && process.env[EMULATOR_VARIABLE] === options.emulatorHost) {
        delete process.env[EMULATOR_VARIABLE];
      }
      const opened = await opening;
      await opened?.deleteApp(opened.app);
    },
  };
}
