import type { Logger } from 'pino';
import type Stripe from 'stripe';
import type { EventData } from '../../contracts/events.ts';
import { idSchema } from '../../contracts/ids.ts';
import type { CommandHandler } from '../../engine/commands/command-handler.ts';
import { type Clock, isoTime } from '../../runtime/clock.ts';
import { type Every, everyInterval } from '../../runtime/schedule.ts';
import type { StripeCalls } from '../payment/payment-context-flow.ts';
import { PaymentProviderFailed, WEBHOOK_EVENTS, WEBHOOK_PATH } from '../payment/payments.ts';
import { callStripe } from '../payment/stripe-client-flow.ts';
import { type Concern, type EventSettling, settleEvent, stripeEventSchema } from '../payment/stripe-events.ts';
import { balanceDecider } from './balance.ts';
import { balanceIdOf, statedBy } from './read-balance-flow.ts';
import { READER, type Reading, readingDecider } from './reading.ts';

/** The lists of Stripe's API that the reader pages through. */
export type StripeLists = Pick<StripeCalls, 'events' | 'balanceTransactions' | 'webhookEndpoints'>;

export interface ReaderSettings {
  readonly stripe: StripeLists;
  readonly payments: EventSettling;
  readonly handler: CommandHandler;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn' | 'error'>;
  readonly every?: Every | undefined;
}

/** Reads Stripe's lists of events and balance transactions (LEDGER3). Any number of processes may do so at the same time. */
export interface StripeReader {
  start(): void;
  /** Reads what is new, and resolves when that's done. Never rejects, because a failure is only logged. */
  runOnce(): Promise<void>;
  /** the lists that Stripe refuses to show, because the secret key lacks the permission */
  refusedLists(): readonly string[];
  /** the types of events that Stripe doesn't send to the shop's webhook endpoint; empty until the first round has asked */
  unsentEvents(): readonly string[];
  /** Starts no more rounds, and resolves once the current one has ended. */
  stop(): Promise<void>;
}

/** A lost webhook is made good within about this time, in ms. */
export const READ_EVERY_MS = 60_000;
/** How often the reader looks which events Stripe sends by webhook, in rounds. */
const ENDPOINTS_EVERY = 60;
const PAGE = 100;
/** The maximum number of pages that one round reads of each list. The next round goes on from there. */
const MAX_PAGES = 50;
/** A full queue must not interrupt the reader (CMD5). */
const ADMITTED = { bypassLimits: true } as const;

type ListName = 'events' | 'balance_transactions' | 'webhook_endpoints';
type Listed = { readonly id: string };
interface ListParams {
  readonly limit: number;
  readonly ending_before?: string;
  readonly starting_after?: string;
}
type ReadPage<T> = (params: ListParams) => Promise<Stripe.ApiList<T>>;

export function createStripeReader(settings: ReaderSettings): StripeReader {
  const { stripe, payments, handler, clock, logger, every = everyInterval } = settings;
  const refused = new Set<ListName>();
  let unsent: readonly string[] = [];
  let rounds = 0;
  let running: Promise<void> | null = null;
  let stopTimer: (() => void) | null = null;
  let stopped = false;
  /** where the first reading of all balance transactions, from the newest back to the oldest, goes on */
  let backTo: { readonly newest: string; readonly after: string } | null = null;

  const metaOf = (about: string) => ({ actor: 'system:stripe-reader', correlationId: about });

  async function moveTo(position: Partial<Reading>): Promise<void> {
    const about = position.event ?? position.transaction ?? '';
    const meta = { ...metaOf(about), cause: `read:${about}`, time: isoTime(clock()) };
    await handler.execute(readingDecider, READER, { type: 'MoveReader', ...position }, meta, ADMITTED);
  }

  /** Calls `take` for each entry that is newer than `position`, oldest first, and then moves the position. */
  async function readNewer<T extends Listed>(
    readPage: ReadPage<T>,
    position: string,
    { take, move }: { take: (entry: T) => Promise<void>; move: (id: string) => Promise<void> },
  ): Promise<void> {
    let before = position;
    for (let pages = 0; pages < MAX_PAGES && !stopped; pages += 1) {
      const { data, has_more: isMore } = await readPage({ limit: PAGE, ending_before: before });
      for (const entry of [...data].reverse()) await take(entry);
      const [newest] = data;
      if (!newest) return;
      await move(newest.id);
      before = newest.id;
      if (!isMore) return;
    }
  }

  /**
   * Reads Stripe's events. The first round, or a round after more than 30 days, only notes which event is the newest one:
   * the balance transactions tell what happened before.
   */
  async function readEvents({ event }: Reading): Promise<void> {
    const types = [...WEBHOOK_EVENTS];
    const readPage: ReadPage<Stripe.Event> = (params) => callStripe(() => stripe.events.list({ types, ...params }));
    if (event !== null) {
      try {
        return await readNewer(readPage, event, { take: takeEvent, move: (id) => moveTo({ event: id }) });
      } catch (error) {
        if (!isGone(error)) throw error;
      }
    }
    const [newest] = (await readPage({ limit: 1 })).data;
    if (newest) await moveTo({ event: newest.id });
  }

  async function takeEvent(event: Stripe.Event): Promise<void> {
    const parsed = stripeEventSchema.safeParse(event).data;
    if (parsed) await settleRead(parsed.id, parsed, parsed.about === 'payment' ? parsed.orderId : undefined);
  }

  async function settleRead(id: string, concern: Concern, orderId: string | undefined): Promise<void> {
    try {
      await settleEvent(payments, concern, {
        meta: metaOf(id),
        known: orderId === undefined ? undefined : { orderId },
      });
    } catch (error) {
      // What Stripe refuses will be refused again, so the reader goes on. If Stripe or a store is down, it stops here.
      if (!(error instanceof PaymentProviderFailed)) throw error;
      logger.error({ err: error, about: id }, 'something that was read from Stripe could not be processed');
    }
  }

  async function readBalance({ transaction }: Reading): Promise<void> {
    const expand = ['data.source'];
    const readPage: ReadPage<Stripe.BalanceTransaction> = (params) =>
      callStripe(() => stripe.balanceTransactions.list({ expand, ...params }));
    if (transaction === null) return readBack(readPage);
    const move = (id: string) => moveTo({ transaction: id });
    await readNewer(readPage, transaction, { take: takeBalance, move });
  }

  /** Reads all balance transactions from the newest back to the oldest. Only then is the position known. */
  async function readBack(readPage: ReadPage<Stripe.BalanceTransaction>): Promise<void> {
    for (let pages = 0; pages < MAX_PAGES && !stopped; pages += 1) {
      const { data, has_more: isMore } = await readPage({
        limit: PAGE,
        ...(backTo && { starting_after: backTo.after }),
      });
      for (const entry of data) await takeBalance(entry);
      const newest: string | undefined = backTo?.newest ?? data[0]?.id;
      if (newest === undefined) return;
      backTo = { newest, after: data.at(-1)?.id ?? newest };
      if (isMore) continue;
      await moveTo({ transaction: newest });
      backTo = null;
      return;
    }
  }

  /** Records a balance transaction. If it is a new one, asks Stripe about what it says: its webhook may have been lost. */
  async function takeBalance(transaction: Stripe.BalanceTransaction): Promise<void> {
    const stated = statedBy(transaction);
    const meta = { ...metaOf(stated.transaction), cause: `balance:${stated.transaction}`, time: isoTime(clock()) };
    const id = balanceIdOf(stated.transaction);
    const outcome = await handler.execute(balanceDecider, id, { type: 'RecordBalance', stated }, meta, ADMITTED);
    if (outcome.kind === 'refused' || outcome.events.length === 0) return;
    await settleRead(stated.transaction, concernOf(stated), idSchema.safeParse(stated.orderId).data);
  }

  /** Notes which events Stripe sends to no webhook endpoint of this shop. An account may have other programs' endpoints. */
  async function readEndpoints(): Promise<void> {
    const { data } = await callStripe(() => stripe.webhookEndpoints.list({ limit: PAGE }));
    const own = data.filter(({ status, url }) => status === 'enabled' && url.endsWith(WEBHOOK_PATH));
    const sent = new Set(own.flatMap(({ enabled_events: types }) => types));
    unsent = sent.has('*') ? [] : WEBHOOK_EVENTS.filter((type) => !sent.has(type));
  }

  async function attempt(list: ListName, read: () => Promise<void>): Promise<void> {
    try {
      await read();
      refused.delete(list);
    } catch (error) {
      if (error instanceof PaymentProviderFailed && error.status === 403) refused.add(list);
      // A process that stops may have lost its connection to Stripe. The next one goes on reading.
      if (stopped) return;
      logger.warn({ err: error, list }, 'could not read a list from Stripe; will retry in a minute');
    }
  }

  async function round(): Promise<void> {
    const { state } = await handler.load(readingDecider, READER);
    await attempt('events', () => readEvents(state));
    if (!stopped) await attempt('balance_transactions', () => readBalance(state));
    if (!stopped && rounds % ENDPOINTS_EVERY === 0) await attempt('webhook_endpoints', readEndpoints);
    rounds += 1;
  }

  function runOnce(): Promise<void> {
    running ??= round()
      .catch((error: unknown) => logger.error({ err: error }, 'could not read from Stripe; will retry in a minute'))
      .finally(() => {
        running = null;
      });
    return running;
  }

  return {
    start() {
      stopTimer ??= every(READ_EVERY_MS, () => void runOnce());
      void runOnce();
    },
    runOnce,
    refusedLists: () => [...refused],
    unsentEvents: () => unsent,
    async stop() {
      stopped = true;
      stopTimer?.();
      await running;
    },
  };
}

function concernOf({ category, source, intent }: EventData<'BalanceRecorded'>): Concern {
  if (category.startsWith('dispute')) return { about: 'dispute', object: source };
  if (category.startsWith('refund')) return { about: 'refunds', object: intent };
  return category === 'charge' ? { about: 'payment', object: intent } : { about: 'nothing', object: null };
}

/** Returns true if Stripe no longer holds the event at which reading would go on. */
function isGone(error: unknown): boolean {
  return error instanceof PaymentProviderFailed && error.code === 'resource_missing';
}
