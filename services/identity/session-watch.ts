import { LRUCache } from 'lru-cache';
import { batchRequests } from '../runtime/batch-requests.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Logger } from '../runtime/log.ts';
import type { IdentityProvider, ProviderAccount } from './identity-provider.ts';

/** A session at the identity provider, which an access token stands for; `signedInAt` in ms since the epoch. */
export interface ProviderSession {
  readonly uid: string;
  readonly signedInAt: number;
}

export interface SessionWatch {
  /**
   * False once the session's account is deleted or disabled, or its sessions were ended, by what the provider said at most
   * 25 s ago. While the provider does not answer, what it said last counts, and a session that it said nothing of goes on.
   */
  goesOn(session: ProviderSession): Promise<boolean>;
}

/**
 * What was said is relied on for so long. A socket is checked as often, so that it ends within twice this time, which
 * is less than a minute (AUTH6).
 */
export const SESSION_CHECK_MS = 25_000;
/** From this age on the next answer is asked for in advance, so that whoever calls all the time never waits for it. */
const REFRESH_AFTER_MS = SESSION_CHECK_MS / 2;
/** A provider that hangs holds a request up no longer. */
const PATIENCE_MS = 2_000;
/** A provider that did not answer is left alone for so long. */
const RETRY_MS = 5_000;
/** The most accounts of one call, and those whose answers are kept. */
const MOST_ASKED = 100;
const MOST_KEPT = 100_000;

interface Told {
  readonly askedAt: number;
  /** null: there is no such account any more */
  readonly account: ProviderAccount | null;
}

/** Knows which sessions go on without asking for each request: accounts are asked for together, and answers are kept. */
export function createSessionWatch(settings: {
  readonly identity: Pick<IdentityProvider, 'accounts'>;
  readonly clock: Clock;
  readonly logger: Logger;
}): SessionWatch {
  const { identity, clock, logger } = settings;
  const told = new LRUCache<string, Told>({ max: MOST_KEPT });
  const refreshing = new Map<string, Promise<void>>();
  /** when the provider is asked again; null while it answers */
  let awayUntil: number | null = null;

  const ask = batchRequests<string, Told>({
    maxBatchSize: MOST_ASKED,
    maxInFlight: 1,
    async send(uids) {
      const askedAt = clock();
      const accounts = await identity.accounts(uids);
      return uids.map((uid) => ({ askedAt, account: accounts.get(uid) ?? null }));
    },
  });

  function isAway(error: unknown): void {
    if (awayUntil === null) {
      logger.warn(
        { err: error },
        'the identity provider does not tell who was signed out: access tokens run out normally',
      );
    }
    awayUntil = clock() + RETRY_MS;
  }

  async function refresh(uid: string): Promise<void> {
    try {
      told.set(uid, await ask(uid));
      if (awayUntil !== null) logger.info('the identity provider answers again');
      awayUntil = null;
    } catch (error) {
      isAway(error);
    } finally {
      refreshing.delete(uid);
    }
  }

  function refreshOnce(uid: string): Promise<void> {
    const running = refreshing.get(uid) ?? refresh(uid);
    refreshing.set(uid, running);
    return running;
  }

  async function withPatience(answer: Promise<void>): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(() => {
        isAway(new Error(`No answer within ${PATIENCE_MS} ms.`));
        resolve();
      }, PATIENCE_MS);
    });
    await Promise.race([answer, late]);
    clearTimeout(timer);
  }

  return {
    async goesOn({ uid, signedInAt }) {
      const now = clock();
      const age = now - (told.get(uid)?.askedAt ?? Number.NEGATIVE_INFINITY);
      if (age >= REFRESH_AFTER_MS && (awayUntil === null || now >= awayUntil)) {
        const refreshed = refreshOnce(uid);
        if (age >= SESSION_CHECK_MS) await withPatience(refreshed);
      }
      const last = told.get(uid);
      return last === undefined || lets(last.account, signedInAt);
    },
  };
}

function lets(account: ProviderAccount | null, signedInAt: number): boolean {
  return account !== null && !account.disabled && signedInAt >= account.sessionsValidFrom;
}
