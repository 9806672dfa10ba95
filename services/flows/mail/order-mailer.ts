import type { Logger } from 'pino';
import type { MailDocument, MailOfOrder } from '../../contracts/documents.ts';
import type { RecordedEvent } from '../../contracts/events.ts';
import { parseStreamName } from '../../contracts/ids.ts';
import type { UnsentReason } from '../../contracts/mails.ts';
import { isOldOrderNumber, orderNumberOf } from '../../contracts/order-number.ts';
import type { CommandMeta } from '../../engine/commands/command.ts';
import type { CommandHandler } from '../../engine/commands/command-handler.ts';
import { currentDocument, type DocumentSource } from '../../engine/projector/current-document.ts';
import type { ReadModels } from '../../engine/read-models/read-models.ts';
import type { IdentityProvider } from '../../identity/identity-provider.ts';
import { batchRequests } from '../../runtime/batch-requests.ts';
import { type Clock, isoTime } from '../../runtime/clock.ts';
import {
  type BackOffLimits,
  type Every,
  endedWithin,
  everyInterval,
  exponentialBackOff,
  PATIENT,
  scheduleTimer,
  sleep,
} from '../../runtime/schedule.ts';
import { type MailCommand, mailDecider, mayHaveBeenSent } from '../../shop/mail/decide-mail.ts';
import { UNDONE_WITHIN_MS } from '../../shop/order/decide-order.ts';
import { mailAfter, withdrawnShipment } from '../../shop/order/order-mails.ts';
import { eachBounded } from '../each-bounded.ts';
import { mailOfOrder, shipmentAt } from './mail-of-order.ts';
import { LONGEST_SENDING_MS, MailRefused, type MailTransport, type OutgoingMail } from './send-mail.ts';

export const MAIL_SCAN_INTERVAL_MS = 5_000;
const DAY_MS = 86_400_000;
/** How long a claim lasts: a mail that could not be sent is claimed again when it ends. */
const CLAIMS: BackOffLimits = { first: 180_000, longest: 3_600_000 };
/** After a failed sending nothing is sent for so long, so that a server which is away gets few tries. */
const PAUSES: BackOffLimits = { first: 1_000, longest: 60_000 };
const AT_ONCE = 4;
/** Claimed mails wait for so long, so that those of a burst leave together and the orders of the burst come first. */
const GATHERED_MS = 200;
/** Claimed mails that wait in memory, about as many as leave before their claims end; what comes on top is left to the scan. */
const MAX_WAITING = 20_000;
const PAGE = 100;
const LAST_WORK_MS = 3_000;

export interface OrderMailerSettings extends MailTransport {
  readonly handler: CommandHandler;
  readonly source: DocumentSource & { readonly readModels: Pick<ReadModels, 'mailsToSend'> };
  readonly identity: Pick<IdentityProvider, 'accounts'>;
  /** where browsers reach the shop, e.g. `https://shop.example` */
  readonly origin: string;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly logger: Pick<Logger, 'warn' | 'error'>;
  readonly every?: Every;
}

/** Mails about orders, each sent once over any number of copies (MAIL1). */
export interface OrderMailer {
  /** Resolves once the mail that an event leads to is claimed; it is sent later, so a mail server holds nothing up (MAIL4). */
  follow(event: RecordedEvent): Promise<void>;
  start(): void;
  /** Resolves once all that was claimed and all whose claim had ended was tried. Never rejects. */
  runOnce(): Promise<void>;
  /** Since this process began: mails sent and given up; and those that wait to be sent. */
  counts(): { readonly sent: number; readonly givenUp: number; readonly waiting: number };
  /** Begins no further mail, and waits a while for those on their way. */
  stop(): Promise<void>;
}

type ClaimMail = Extract<MailCommand, { type: 'ClaimMail' }>;

interface Claim {
  readonly orderId: string;
  readonly mail: string;
  readonly until: string;
}

export function createOrderMailer(settings: OrderMailerSettings): OrderMailer {
  const { handler, source, identity, send, origin, clock, newId, logger, every = everyInterval } = settings;
  const { atOnce = AT_ONCE } = settings;
  const { hostname } = new URL(origin);
  const waiting: Claim[] = [];
  /** Mails that this process sends or has sent and not recorded yet: a store that is away may outlast their claims. */
  const leaving = new Set<string>();
  const sending = new Set<Promise<void>>();
  const accountOf = batchRequests({ send: askForAccounts, maxBatchSize: 100, maxInFlight: 1 });
  const stopped = new AbortController();
  let scanning: Promise<void> | null = null;
  let stopTimer: (() => void) | null = null;
  let gathering: (() => void) | null = null;
  let [sent, givenUp, overdue] = [0, 0, 0];
  let [failures, pausedUntil] = [0, 0];

  const isPaused = () => clock() < pausedUntil;
  const messageIdOf = (orderId: string, mail: string) => `<${mail}.${orderId}@${hostname}>`;

  function execute(orderId: string, command: MailCommand, cause: string) {
    const time = isoTime(clock());
    const meta: CommandMeta = { cause, actor: 'system:mail', correlationId: `mail:${orderId}:${command.mail}`, time };
    // One process follows an order's events, and it alone sends what it has claimed.
    return handler.execute(mailDecider, orderId, command, meta, { admitted: true });
  }

  /** The claim where this process got it, else null. */
  async function claim(
    orderId: string,
    mail: string,
    {
      until,
      cause,
      ...what
    }: { readonly until: number; readonly cause: string } & Pick<ClaimMail, 'since' | 'corrects'>,
  ): Promise<Claim | null> {
    const command = { type: 'ClaimMail', mail, ...what, now: isoTime(clock()), until: isoTime(until) } as const;
    const outcome = await execute(orderId, command, cause);
    return outcome.kind === 'done' && outcome.events.length > 0 ? { orderId, mail, until: command.until } : null;
  }

  async function giveUp(orderId: string, mail: string, reason: UnsentReason): Promise<void> {
    const outcome = await execute(orderId, { type: 'GiveMailUp', mail, reason }, `give-up:${mail}`);
    if (outcome.kind === 'done' && outcome.events.length > 0) givenUp += 1;
  }

  function sendSoon(): void {
    gathering ??= scheduleTimer(GATHERED_MS, () => {
      gathering = null;
      sendWaiting();
    });
  }

  /** Sends the mails that wait, a few at once. */
  function sendWaiting(): void {
    while (waiting.length > 0 && sending.size < atOnce && !stopped.signal.aborted) {
      const next = waiting.shift();
      if (!next) return;
      const work = deliver(next).finally(() => {
        sending.delete(work);
        sendWaiting();
      });
      sending.add(work);
    }
  }

  /** Sends a claimed mail, or leaves it to the scan when its claim has ended. Never rejects. */
  async function deliver({ orderId, mail, until }: Claim): Promise<void> {
    try {
      if (isPaused()) return;
      const outgoing = await outgoingMail(orderId, mail);
      if (outgoing === null) return;
      if (typeof outgoing === 'string') return await giveUp(orderId, mail, outgoing);
      // Too late for this claim: another process may take it while the server still takes the mail.
      if (clock() + LONGEST_SENDING_MS > Date.parse(until) || stopped.signal.aborted) return;
      leaving.add(outgoing.messageId);
      if (await sendOnce(orderId, mail, outgoing)) await recordSent(orderId, mail, outgoing.messageId);
    } catch (error) {
      logger.warn({ err: readableCause(error), orderId, mail }, 'a mail was not sent; it is tried again');
    } finally {
      leaving.delete(messageIdOf(orderId, mail));
    }
  }

  /** Returns false where the mail server refused the mail for good: it is given up then. */
  async function sendOnce(orderId: string, mail: string, outgoing: OutgoingMail): Promise<boolean> {
    try {
      await send(outgoing);
      failures = 0;
      return true;
    } catch (error) {
      const refused = error instanceof MailRefused;
      if (!refused) {
        failures += 1;
        pausedUntil = clock() + exponentialBackOff(PAUSES)(failures);
      }
      if (!refused || !error.forGood) throw error;
      logger.warn(
        { err: readableCause(error), orderId, mail },
        'the mail server refused a mail for good; it is given up',
      );
      await giveUp(orderId, mail, 'refused');
      return false;
    }
  }

  /** Tried until it is recorded: a mail is sent again only where a process ends between sending and recording. */
  async function recordSent(orderId: string, mail: string, messageId: string): Promise<void> {
    sent += 1;
    const pause = exponentialBackOff(PATIENT);
    for (let tries = 1; ; tries += 1) {
      try {
        await execute(orderId, { type: 'RecordMailSent', mail, messageId }, `sent:${mail}`);
        return;
      } catch (error) {
        if (stopped.signal.aborted) throw error;
        await sleep(scheduleTimer, pause(tries), stopped.signal);
      }
    }
  }

  /**
   * What is to be sent, or why nothing is: to the verified address of the account that placed the order alone (MAIL3). Null while
   * somebody may be sending the mail that this one corrects.
   */
  async function outgoingMail(orderId: string, mail: string): Promise<OutgoingMail | UnsentReason | null> {
    const corrects = withdrawnShipment(mail)?.corrects;
    if (corrects !== undefined) {
      const corrected = (await handler.load(mailDecider, orderId)).state[corrects];
      if (corrected?.status === 'claimed') return null;
      if (!mayHaveBeenSent(corrected)) return 'outdated';
    }
    const order = await currentDocument(source, 'order', orderId);
    if (order === null) return 'outdated';
    const composed = await mailOfOrder({ ...source, handler }, order, { mail, origin });
    if (composed === null) return 'outdated';
    const user = await currentDocument(source, 'user', order.customer);
    if (user === null || user.closed) return 'no_verified_email';
    const account = await accountOf(user.uid);
    if (!account?.emailVerified || account.disabled || account.email !== user.email) return 'no_verified_email';
    const { subject, text, html } = composed;
    return { to: user.email, subject, text, html, messageId: messageIdOf(orderId, mail) };
  }

  async function askForAccounts(uids: readonly string[]) {
    const accounts = await identity.accounts(uids);
    return uids.map((uid) => accounts.get(uid) ?? null);
  }

  /** Page by page, until one is not full or holds what is done already: its documents are as old as the projector's last save. */
  async function scan(): Promise<void> {
    for (let more = true; more && !stopped.signal.aborted; ) {
      const found = await source.readModels.mailsToSend(isoTime(clock()), PAGE);
      overdue = found.length;
      let claimed = 0;
      await eachBounded(found, AT_ONCE, async (document) => {
        for (const mail of document.mails) if (await retry(document, mail)) claimed += 1;
      });
      more = found.length === PAGE && claimed > 0;
    }
  }

  /** Claims a mail again whose claim has ended, and sends it; after a day it is given up (MAIL2). True where it was claimed. */
  async function retry({ id }: MailDocument, { mail, status, until, since, claims }: MailOfOrder): Promise<boolean> {
    const now = clock();
    if (status !== 'claimed' || Date.parse(until) > now || stopped.signal.aborted) return false;
    if (leaving.has(messageIdOf(id, mail))) return false;
    try {
      if (now - Date.parse(since) > DAY_MS) {
        await giveUp(id, mail, 'too_late');
        return false;
      }
      if (isPaused()) return false;
      const next = { since, until: now + exponentialBackOff(CLAIMS, 0)(claims), cause: `claim:${newId()}` };
      const claimed = await claim(id, mail, next);
      if (claimed) await deliver(claimed);
      return claimed !== null;
    } catch (error) {
      logger.error({ err: error, orderId: id, mail }, 'a mail could not be claimed');
      return false;
    }
  }

  /** From before there were mails. */
  async function isOldOrder(event: RecordedEvent): Promise<boolean> {
    if (event.type === 'OrderPlaced') return isOldOrderNumber(event.data.draft.number);
    const order = await source.readModels.get('order', parseStreamName(event.subject).id);
    return order !== null && isOldOrderNumber(orderNumberOf(order));
  }

  async function runOnce(): Promise<void> {
    scanning ??= scan()
      .catch((error: unknown) => logger.error({ err: error }, 'the scan of mails failed; the next one starts again'))
      .finally(() => {
        scanning = null;
      });
    await scanning;
    sendWaiting();
    while (sending.size > 0) await Promise.all(sending);
  }

  return {
    async follow(event) {
      const happened = Date.parse(event.time);
      if (clock() - happened > DAY_MS) return;
      const { id } = parseStreamName(event.subject);
      const waits = event.type === 'OrderShipped';
      const mail = mailAfter(event, waits ? await shipmentAt({ ...source, handler }, id, event.streamversion) : 0);
      if (mail === null || (await isOldOrder(event))) return;
      const until = waits ? happened + UNDONE_WITHIN_MS : clock() + CLAIMS.first;
      const corrects = withdrawnShipment(mail)?.corrects;
      const what = { since: event.time, until, cause: `mail:${id}:${mail}`, ...(corrects && { corrects }) };
      const claimed = await claim(id, mail, what);
      if (!claimed || waits || waiting.length >= MAX_WAITING) return;
      waiting.push(claimed);
      sendSoon();
    },
    start() {
      stopTimer ??= every(MAIL_SCAN_INTERVAL_MS, () => void runOnce());
      void runOnce();
    },
    runOnce,
    counts: () => ({ sent, givenUp, waiting: waiting.length + sending.size + overdue }),
    async stop() {
      stopTimer?.();
      gathering?.();
      stopped.abort();
      await endedWithin(scheduleTimer, LAST_WORK_MS, Promise.all([scanning, ...sending]));
    },
  };
}

/** Errors of a mail server hold the addresses of customers, which are for no log. */
function readableCause(error: unknown): object {
  const { name, code, responseCode } = error as { name?: unknown; code?: unknown; responseCode?: unknown };
  return { name, code, responseCode };
}
