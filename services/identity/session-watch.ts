import { LRUCache } from 'lru-cache';
import { batchRequests } from '../runtime/batch-requests.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Logger } from '../runtime/log.ts';
import { within } from '../runtime/store-unavailable.ts';
import type { IdentityProvider, ProviderAccount } from './identity-provider.ts';

/** How long an answer counts. Sockets are checked as often, so they end within twice this time, less than a minute (AUTH6). */
export const SESSION_CHECK_MS = 25_000;
/** From this age on an answer is refreshed in the background, so that a busy caller never waits. */
const REFRESH_AFTER_MS = SESSION_CHECK_MS / 2;
/** The longest that a request waits for the provider. */
const MAX_WAIT_MS = 2_000;
/** The pause after the provider did not answer. */
const RETRY_MS = 5_000;
const MAX_BATCH_SIZE = 100;
const MAX_ANSWERS = 100_000;

interface CachedAnswer {
  readonly askedAt: number;
  /** null: the account is gone */
  readonly account: ProviderAccount | null;
}

/** Checks sessions without a call per request: accounts are asked for in batches, and the answers are cached. */
export function createSessionWatch(settings: {
  readonly identity: Pick<IdentityProvider, 'accounts'>;
  readonly clock: Clock;
  readonly logger: Logger;
}) {
  const { identity, clock, logger } = settings;
  const answers = new LRUCache<string, CachedAnswer>({ max: MAX_ANSWERS });
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
      logger.warn({ err: error }, 'the identity provider does not answer: access tokens stay valid until they expire');
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
     * False once the account is deleted or disabled, or this session was ended, at most 25 s ago. While the
     * provider is away its last answer counts, and without one a session stays active. `signedInAt` in ms since the epoch.
     */
    async isActive({ uid, signedInAt }: { readonly uid: string; readonly signedInAt: number }): Promise<boolean> {
      const now = clock();
      const age = now - (answers.get(uid)?.askedAt ?? Number.NEGATIVE_INFINITY);
      if (age >= REFRESH_AFTER_MS && (awayUntil === null || now >= awayUntil)) {
        const refreshed = refreshOnce(uid);
        if (age >= SESSION_CHECK_MS) await within(MAX_WAIT_MS, () => refreshed, late).catch(markAway);
      }
      const last = answers.get(uid);
      return last === undefined || allows(last.account, signedInAt);
    },
  };
}

function late(): Error {
  return new Error(`No answer within ${MAX_WAIT_MS} ms.`);
}

function allows(account: ProviderAccount | null, signedInAt: number): boolean {
  return account !== null && !account.disabled && signedInAt >= account.sessionsValidFrom;
}
