import type { Logger } from 'pino';
import type { UnsentReason } from '../../contracts/mail/mails.ts';
import type { Clock } from '../../runtime/clock.ts';
import {
  type BackOffLimits,
  exponentialBackOff,
  PATIENT,
  SYSTEM_TIMING,
  sleep,
  type Timing,
} from '../../runtime/schedule.ts';
import type { MailClaim, MailRecord } from './mail-record-flow.ts';
import { LONGEST_SENDING_MS, MailRefused, type MailTransport, type OutgoingMail } from './send-mail.ts';

/**
 * How many queued e-mails are sent concurrently by default. The scan for overdue e-mails may send a few more at the
 * same time.
 */
const AT_ONCE = 4;
/**
 * How long the process sends no e-mails after a failure, in ms, so that attempts don't flood an unavailable mail
 * server.
 */
const PAUSES: BackOffLimits = { first: 1_000, longest: 60_000 };
/**
 * How long queued e-mails wait before they are sent, in ms. During a burst of orders, this lets the shop place the
 * orders before it sends e-mails about them.
 */
const BATCH_WINDOW_MS = 200;
/**
 * The maximum number of queued e-mails. Roughly this many can be sent before their claims expire. The scan sends any
 * further e-mails later.
 */
const MAX_QUEUED = 20_000;

export interface MailSenderSettings extends MailTransport {
  readonly record: MailRecord;
  /**
   * Resolves with the composed e-mail, with the reason for not sending it, or with null if the e-mail has to wait. See
   * createOutgoingMails().
   */
  readonly compose: (orderId: string, mail: string) => Promise<OutgoingMail | UnsentReason | null>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
  readonly stopped: AbortSignal;
  readonly timing?: Timing | undefined;
}

/** Sends claimed e-mails, a few at a time, and records the outcome of each. */
export function createMailSender(settings: MailSenderSettings) {
  const { send, atOnce = AT_ONCE, record, compose, clock, logger, stopped } = settings;
  const { schedule, random } = settings.timing ?? SYSTEM_TIMING;
  const queued: MailClaim[] = [];
  const inFlight = new Set<string>();
  const sending = new Set<Promise<void>>();
  let endBatchWindow: (() => void) | null = null;
  let [sent, givenUp] = [0, 0];
  let [failures, pausedUntil] = [0, 0];

  const isPaused = () => clock() < pausedUntil;

  function sendQueued(): void {
    while (queued.length > 0 && sending.size < atOnce && !stopped.aborted) {
      const next = queued.shift();
      if (!next) return;
      const work = deliver(next).finally(() => {
        sending.delete(work);
        sendQueued();
      });
      sending.add(work);
    }
  }

  /** Sends the e-mail immediately. If that fails, the scan retries the e-mail after the claim has expired. Never rejects. */
  async function deliver(claim: MailClaim): Promise<void> {
    const { orderId, mail, until } = claim;
    const name = nameOf(orderId, mail);
    // This claim may be an old one from the queue. The scan may already be sending the e-mail under a newer claim.
    if (inFlight.has(name)) return;
    inFlight.add(name);
    try {
      if (isPaused()) return;
      const composed = await compose(orderId, mail);
      if (composed === null) return;
      if (typeof composed === 'string') return await giveUp(orderId, mail, composed);
      // Once the claim has expired, another process may send the e-mail. An attempt that could outlast the claim is
      // therefore not started.
      if (clock() + LONGEST_SENDING_MS > Date.parse(until) || stopped.aborted) return;
      if (await sendOnce(claim, composed)) await recordSent(claim, composed.messageId);
    } catch (error) {
      logger.warn({ err: readableCause(error), orderId, mail }, 'could not send an e-mail; will retry');
    } finally {
      inFlight.delete(name);
    }
  }

  /**
   * Tries to send the e-mail once. If the mail server rejects the e-mail permanently, gives up on it and returns false.
   */
  async function sendOnce({ orderId, mail }: MailClaim, composed: OutgoingMail): Promise<boolean> {
    try {
      await send(composed);
      failures = 0;
      return true;
    } catch (error) {
      if (!(error instanceof MailRefused)) pause();
      if (!(error instanceof MailRefused && error.forGood)) throw error;
      const err = readableCause(error);
      logger.warn({ err, orderId, mail }, 'the mail server permanently rejected an e-mail, so the e-mail was given up');
      await giveUp(orderId, mail, 'refused');
      return false;
    }
  }

  function pause(): void {
    failures += 1;
    pausedUntil = clock() + exponentialBackOff(PAUSES, undefined, random)(failures);
  }

  /**
   * Records `MailSent`, and retries until that succeeds. The e-mail is sent twice only if this process exits before
   * `MailSent` is recorded, or if the store stays unavailable until the claim has expired and another process claims
   * the e-mail (MAIL1).
   */
  async function recordSent({ orderId, mail }: MailClaim, messageId: string): Promise<void> {
    sent += 1;
    const pauseAfter = exponentialBackOff(PATIENT, undefined, random);
    for (let tries = 1; ; tries += 1) {
      try {
        await record.sent(orderId, mail, messageId);
        return;
      } catch (error) {
        if (stopped.aborted) throw error;
        await sleep(schedule, pauseAfter(tries), stopped);
      }
    }
  }

  async function giveUp(orderId: string, mail: string, reason: UnsentReason): Promise<void> {
    if (await record.givenUp(orderId, mail, reason)) givenUp += 1;
  }

  return {
    /** Queues the e-mail for sending. If the queue is full, does nothing, and the scan sends the e-mail later. */
    queue(claim: MailClaim): void {
      if (queued.length >= MAX_QUEUED) return;
      queued.push(claim);
      endBatchWindow ??= schedule(BATCH_WINDOW_MS, () => {
        endBatchWindow = null;
        sendQueued();
      });
    },
    deliver,
    giveUp,
    isPaused,
    /**
     * Returns true while this process is sending the e-mail or recording its outcome. The e-mail's claim may expire
     * before that is finished, for example if the store is unavailable when the outcome has to be recorded.
     */
    isInFlight: (orderId: string, mail: string) => inFlight.has(nameOf(orderId, mail)),
    /** Attempts to send every queued e-mail, then resolves. */
    async drain(): Promise<void> {
      sendQueued();
      while (sending.size > 0) await Promise.all(sending);
    },
    counts: () => ({ sent, givenUp, queued: queued.length + sending.size }),
    /**
     * Resolves once the e-mails already taken from the queue have been handled. A later scan sends the e-mails that are
     * still queued.
     */
    stop(): Promise<unknown> {
      endBatchWindow?.();
      return Promise.all(sending);
    },
  };
}

const nameOf = (orderId: string, mail: string) => `${mail}.${orderId}`;

/**
 * Keeps only those fields of an error that are safe to log. A mail server's error messages contain customers'
 * addresses.
 */
function readableCause(error: unknown): object {
  const { name, code, responseCode } = error as { name?: unknown; code?: unknown; responseCode?: unknown };
  return { name, code, responseCode };
}
