import type { Logger } from 'pino';
import type { UnsentReason } from '../../contracts/mails.ts';
import type { Clock } from '../../runtime/clock.ts';
import { type BackOffLimits, exponentialBackOff, PATIENT, scheduleTimer, sleep } from '../../runtime/schedule.ts';
import type { MailClaim, MailRecord } from './mail-record.ts';
import { LONGEST_SENDING_MS, MailRefused, type MailTransport, type OutgoingMail } from './send-mail.ts';

/** Of the queue. The scan delivers a few more at the same time. */
const AT_ONCE = 4;
/** Pauses of all sending after a failure, so that a mail server that is away gets few tries. */
const PAUSES: BackOffLimits = { first: 1_000, longest: 60_000 };
/** Delays queued mails, so that a burst of orders is placed first and its mails leave together. */
const BATCH_WINDOW_MS = 200;
/** About as many mails as leave before their claims end. Any others are left to the scan. */
const MAX_QUEUED = 20_000;

export interface MailSenderSettings extends MailTransport {
  readonly record: MailRecord;
  /** Resolves with the mail, with the reason why it's never sent, or with null while it has to wait. See createOutgoingMails. */
  readonly compose: (orderId: string, mail: string) => Promise<OutgoingMail | UnsentReason | null>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
  readonly stopped: AbortSignal;
}

/** Sends claimed mails, a few at a time, and records what became of each. */
export function createMailSender(settings: MailSenderSettings) {
  const { send, atOnce = AT_ONCE, record, compose, clock, logger, stopped } = settings;
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

  /** Sends the mail now. If it can't, the scan tries again once the claim has ended. Never rejects. */
  async function deliver(claim: MailClaim): Promise<void> {
    const { orderId, mail, until } = claim;
    inFlight.add(nameOf(orderId, mail));
    try {
      if (isPaused()) return;
      const composed = await compose(orderId, mail);
      if (composed === null) return;
      if (typeof composed === 'string') return await giveUp(orderId, mail, composed);
      // Another process may send the mail once the claim has ended, so no sending may last longer than the claim.
      if (clock() + LONGEST_SENDING_MS > Date.parse(until) || stopped.aborted) return;
      if (await sendOnce(claim, composed)) await recordSent(claim, composed.messageId);
    } catch (error) {
      logger.warn({ err: readableCause(error), orderId, mail }, 'a mail was not sent; it is tried again');
    } finally {
      inFlight.delete(nameOf(orderId, mail));
    }
  }

  /** Returns false if the mail server refused the mail for good. The mail is then given up. */
  async function sendOnce({ orderId, mail }: MailClaim, composed: OutgoingMail): Promise<boolean> {
    try {
      await send(composed);
      failures = 0;
      return true;
    } catch (error) {
      if (!(error instanceof MailRefused)) pause();
      if (!(error instanceof MailRefused && error.forGood)) throw error;
      const err = readableCause(error);
      logger.warn({ err, orderId, mail }, 'the mail server refused a mail for good; it is given up');
      await giveUp(orderId, mail, 'refused');
      return false;
    }
  }

  function pause(): void {
    failures += 1;
    pausedUntil = clock() + exponentialBackOff(PAUSES)(failures);
  }

  /**
   * Retries until the event is recorded. A mail is sent twice only if this process ends before that, or if the store stays away until the
   * claim has ended and another process takes the mail over (MAIL1).
   */
  async function recordSent({ orderId, mail }: MailClaim, messageId: string): Promise<void> {
    sent += 1;
    const pauseAfter = exponentialBackOff(PATIENT);
    for (let tries = 1; ; tries += 1) {
      try {
        await record.sent(orderId, mail, messageId);
        return;
      } catch (error) {
        if (stopped.aborted) throw error;
        await sleep(scheduleTimer, pauseAfter(tries), stopped);
      }
    }
  }

  async function giveUp(orderId: string, mail: string, reason: UnsentReason): Promise<void> {
    if (await record.givenUp(orderId, mail, reason)) givenUp += 1;
  }

  return {
    /** Sends the mail soon. Leaves it to the scan if too many mails are queued. */
    queue(claim: MailClaim): void {
      if (queued.length >= MAX_QUEUED) return;
      queued.push(claim);
      endBatchWindow ??= scheduleTimer(BATCH_WINDOW_MS, () => {
        endBatchWindow = null;
        sendQueued();
      });
    },
    deliver,
    giveUp,
    isPaused,
    /** True until a mail that this process sends is recorded. That may take longer than the claim lasts if the store is away. */
    isInFlight: (orderId: string, mail: string) => inFlight.has(nameOf(orderId, mail)),
    /** Resolves once every queued mail has been tried. */
    async drain(): Promise<void> {
      sendQueued();
      while (sending.size > 0) await Promise.all(sending);
    },
    counts: () => ({ sent, givenUp, queued: queued.length + sending.size }),
    /** Leaves the queue to the scan, and resolves once no mail is in flight. */
    stop(): Promise<unknown> {
      endBatchWindow?.();
      return Promise.all(sending);
    },
  };
}

const nameOf = (orderId: string, mail: string) => `${mail}.${orderId}`;

/** A mail server's errors contain customers' addresses, which must not be logged. */
function readableCause(error: unknown): object {
  const { name, code, responseCode } = error as { name?: unknown; code?: unknown; responseCode?: unknown };
  return { name, code, responseCode };
}
