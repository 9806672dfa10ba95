import pLimit from 'p-limit';
import type { Logger } from 'pino';
import type { RecordedEvent } from '../../contracts/events.ts';
import { parseStreamName } from '../../contracts/ids.ts';
import type { MailDocument, MailOfOrder } from '../../contracts/mail/mail-document.ts';
import type { ReadModels } from '../../engine/read-models/read-models.ts';
import { type Clock, isoTime } from '../../runtime/clock.ts';
import {
  type BackOffLimits,
  type Every,
  endedWithin,
  everyInterval,
  exponentialBackOff,
  SYSTEM_TIMING,
  type Timing,
} from '../../runtime/schedule.ts';
import { UNDONE_WITHIN_MS } from '../order/decide-order.ts';
import { shipmentAt } from '../order/fold-order-flow.ts';
import { mailsToSend } from './mail-documents.ts';
import { createMailRecord } from './mail-record-flow.ts';
import { createMailSender } from './mail-sender-flow.ts';
import { mailAfter, withdrawnShipment } from './order-mails.ts';
import { createOutgoingMails, type OutgoingMailSettings } from './outgoing-mail-flow.ts';
import type { MailTransport } from './send-mail.ts';

export const MAIL_SCAN_INTERVAL_MS = 5_000;
const DAY_MS = 86_400_000;
/**
 * Claims on an e-mail last 3, 3, 6, 12 minutes and so on, up to an hour. The first claim on a shipment e-mail is
 * shorter: it ends when the shipment can no longer be undone. If a claim expires before the e-mail is sent, the e-mail
 * is claimed again.
 */
const CLAIMS: BackOffLimits = { first: 180_000, longest: 3_600_000 };
const NO_JITTER = 0;
const CLAIMED_AT_ONCE = 4;
const PAGE = 100;
const LAST_WORK_MS = 3_000;

export interface OrderMailerSettings extends MailTransport, OutgoingMailSettings {
  readonly source: OutgoingMailSettings['source'] & { readonly readModels: Pick<ReadModels, 'find'> };
  readonly clock: Clock;
  readonly newId: () => string;
  readonly logger: Pick<Logger, 'warn' | 'error'>;
  readonly every?: Every | undefined;
  readonly timing?: Timing | undefined;
}

/** Sends e-mails about orders. Each e-mail is sent once, no matter how many processes send e-mails (MAIL1). */
export interface OrderMailer {
  /**
   * Claims the e-mail that an event calls for, if any. The e-mail is sent later, so a slow mail server doesn't delay
   * the event (MAIL4).
   */
  follow(event: RecordedEvent): Promise<void>;
  start(): void;
  /** Attempts to send every e-mail that is queued or whose claim has expired, then resolves. Never rejects. */
  runOnce(): Promise<void>;
  /**
   * `sent` and `givenUp` count e-mails since this process started. `waiting` counts the e-mails that are queued or
   * being sent from the queue. It also counts the orders with overdue e-mails on the last page that the scan read.
   */
  counts(): { readonly sent: number; readonly givenUp: number; readonly waiting: number };
  /** Stops sending e-mails, and waits up to LAST_WORK_MS for e-mails in flight. */
  stop(): Promise<void>;
}

export function createOrderMailer(settings: OrderMailerSettings): OrderMailer {
  const { source, clock, newId, logger, every = everyInterval } = settings;
  const stopped = new AbortController();
  const record = createMailRecord(settings);
  const compose = createOutgoingMails(settings);
  const sender = createMailSender({ ...settings, record, compose, stopped: stopped.signal });
  let scanning: Promise<void> | null = null;
  let stopTimer: (() => void) | null = null;
  let overdue = 0;

  /**
   * Retries overdue e-mails page by page. Stops at a page that isn't full, and at a page from which no e-mail could be
   * claimed. In the latter case, the documents may lag behind the claims, and reading again would return the same page.
   */
  async function scan(): Promise<void> {
    for (let more = true; more && !stopped.signal.aborted; ) {
      const found = await source.readModels.find(mailsToSend(isoTime(clock())), { limit: PAGE });
      overdue = found.length;
      let anyClaimed = false;
      await pLimit(CLAIMED_AT_ONCE).map(found, async (document) => {
        for (const mail of document.mails) if (await retry(document, mail)) anyClaimed = true;
      });
      more = found.length === PAGE && anyClaimed;
    }
  }

  /**
   * Claims an e-mail again once its claim has expired, and sends it. If the event that the e-mail is about is more than
   * a day old, gives up on the e-mail instead (MAIL2). Returns true if the e-mail was claimed.
   */
  async function retry({ id }: MailDocument, { mail, since, claims, ...last }: MailOfOrder): Promise<boolean> {
    const now = clock();
    if (last.status !== 'claimed' || Date.parse(last.until) > now || stopped.signal.aborted) return false;
    if (sender.isInFlight(id, mail)) return false;
    try {
      if (now - Date.parse(since) > DAY_MS) {
        await sender.giveUp(id, mail, 'too_late');
        return false;
      }
      if (sender.isPaused()) return false;
      const until = now + exponentialBackOff(CLAIMS, NO_JITTER)(claims);
      const claimed = await record.claim(id, mail, { since, until, cause: `claim:${newId()}` });
      if (claimed) await sender.deliver(claimed);
      return claimed !== null;
    } catch (error) {
      logger.error({ err: error, orderId: id, mail }, 'could not claim an e-mail; the next scan will retry');
      return false;
    }
  }

  async function runOnce(): Promise<void> {
    scanning ??= scan()
      .catch((error: unknown) => logger.error({ err: error }, 'the e-mail scan failed; the next scan will start over'))
      .finally(() => {
        scanning = null;
      });
    await scanning;
    await sender.drain();
  }

  return {
    async follow(event) {
      const happened = Date.parse(event.time);
      if (clock() - happened > DAY_MS) return;
      const { id } = parseStreamName(event.subject);
      const isShipping = event.type === 'OrderShipped';
      const shipment = isShipping ? await shipmentAt(source, id, event.streamversion) : 0;
      const mail = mailAfter(event, shipment);
      if (mail === null) return;
      // A shipment can be undone for 30 s, so the first claim on its e-mail only serves as a timer. The e-mail isn't
      // queued. Instead, the scan sends it once the claim has expired.
      const until = isShipping ? happened + UNDONE_WITHIN_MS : clock() + CLAIMS.first;
      const corrects = withdrawnShipment(mail)?.corrects;
      const terms = { since: event.time, until, cause: `mail:${id}:${mail}`, ...(corrects && { corrects }) };
      const claimed = await record.claim(id, mail, terms);
      if (claimed && !isShipping) sender.queue(claimed);
    },
    start() {
      stopTimer ??= every(MAIL_SCAN_INTERVAL_MS, () => void runOnce());
      void runOnce();
    },
    runOnce,
    counts() {
      const { sent, givenUp, queued } = sender.counts();
      return { sent, givenUp, waiting: queued + overdue };
    },
    async stop() {
      stopTimer?.();
      stopped.abort();
      await endedWithin(
        (settings.timing ?? SYSTEM_TIMING).schedule,
        LAST_WORK_MS,
        Promise.all([scanning, sender.stop()]),
      );
    },
  };
}
