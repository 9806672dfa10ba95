import { batchRequests } from '../runtime/batch-requests.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Logger } from '../runtime/log.ts';
import { createLruCache } from '../runtime/lru-cache.ts';
import type { Schedule } from '../runtime/schedule.ts';
import { within } from '../runtime/store-unavailable.ts';
import type { IdentityProvider, ProviderAccount } from './identity-provider.ts';

/**
 * How long a cached response from the identity provider stays valid, in ms. The sessions of open sockets are checked at
 * the same interval. A socket is therefore closed within two intervals, or less than a minute, after its session ends
 * (AUTH6).
 */
export const SESSION_CHECK_MS = 25_000;
/**
 * Once a cached response is this old, in ms, it is refreshed in the background, so that an active user's requests don't
 * have to wait.
 */
const REFRESH_AFTER_MS = SESSION_CHECK_MS / 2;
/** The longest time that a request waits for the provider, in ms. */
const MAX_WAIT_MS = 2_000;
/** The pause between a failed call to the provider and the next call, in ms. */
const RETRY_MS = 5_000;
const MAX_BATCH_SIZE = 100;
const MAX_ANSWERS = 100_000;

interface CachedAnswer {
  readonly askedAt: number;
  /** null if the account was deleted */
  readonly account: ProviderAccount | null;
}

/** Returns a session check that doesn't call the provider on every request. It fetches accounts in batches and caches them. */
export function createSessionWatch(settings: {
  readonly identity: Pick<IdentityProvider, 'accounts'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly schedule?: Schedule | undefined;
}) {
  const { identity, clock, logger, schedule } = settings;
  const answers = createLruCache<string, CachedAnswer>(MAX_ANSWERS);
  const refreshing = new Map<string, Promise<void>>();
  let awayUntil: number | null = null;

  const ask = batchRequests<string, CachedAnswer>({
    maxBatchSize: MAX_BATCH_SIZE,
    maxInFlight: 1,
    async send(uids) {
      const askedAt = clock();
      const accounts = await identity.accounts(uids);
      return uids.map((uid) => ({ askedAt, account: accounts.get(uid) ?? null }));
    },
  });

  function markAway(error: unknown): void {
    if (awayUntil === null) {
      logger.warn(
        { err: error },
        'the identity provider is not responding, so revocations cannot be checked: access tokens stay valid until they expire',
      );
    }
    awayUntil = clock() + RETRY_MS;
  }

  async function refresh(uid: string): Promise<void> {
    try {
      answers.set(uid, await ask(uid));
      if (awayUntil !== null) logger.info('the identity provider answers again');
      awayUntil = null;
    } catch (error) {
      markAway(error);
    } finally {
      refreshing.delete(uid);
    }
  }

  function refreshOnce(uid: string): Promise<void> {
    const running = refreshing.get(uid) ?? refresh(uid);
    refreshing.set(uid, running);
    return running;
  }

  return {
    /**
     * Returns whether a session is active. The result becomes false within 25 s after the session is revoked or the
     * account is deleted or disabled. While the provider is down, its last response about the account is used. If there
     * is no such response, the session counts as active. `signedInAt` is in ms since the epoch.
     */
    async isActive({ uid, signedInAt }: { readonly uid: string; readonly signedInAt: number }): Promise<boolean> {
      const now = clock();
      const age = now - (answers.get(uid)?.askedAt ?? Number.NEGATIVE_INFINITY);
      if (age >= REFRESH_AFTER_MS && (awayUntil === null || now >= awayUntil)) {
        const refreshed = refreshOnce(uid);
        if (age >= SESSION_CHECK_MS) await within(MAX_WAIT_MS, () => refreshed, late, schedule).catch(markAway);
      }
      const last = answers.get(uid);
      return last === undefined || allows(last.account, signedInAt);
    },
  };
}

function late(): Error {
  return new Error(`No response within ${MAX_WAIT_MS} ms.`);
}

function allows(account: ProviderAccount | null, signedInAt: number): boolean {
  return account !== null && !account.disabled && signedInAt >= account.sessionsValidFrom;
}
