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
import { createListReading, LISTED_WITHIN_S, type ReadPage } from './list-reading-flow.ts';
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
  /** the permissions that the secret key lacked in the last round, as Stripe names them, e.g. `refund_read` */
  lackedPermissions(): readonly string[];
  /** the types of events that Stripe doesn't send to the shop's webhook endpoint; empty until the first round has asked */
  unsentEvents(): readonly string[];
  /** Starts no more rounds, and resolves once the current one has ended. */
  stop(): Promise<void>;
}

/** A lost webhook is made good within about this time, in ms. */
export const READ_EVERY_MS = 60_000;
/** How often the reader looks which events Stripe sends by webhook, in rounds. */
const ENDPOINTS_EVERY = 60;
/** How many endpoints are listed at most. Stripe allows an account 16. */
const MOST_ENDPOINTS = 100;
/**
 * How long an entry of Stripe's lists may be missing although it has been made, in ms. What is older has been read, and
 * how far that is, is recorded about this often.
 */
const LISTED_WITHIN_MS = LISTED_WITHIN_S * 1_000;
/** For this long, in ms, a failure to read isn't recorded, because it usually passes. */
const PATIENCE_MS = 15 * 60_000;
/** A full queue must not interrupt the reader (CMD5). */
const ADMITTED = { bypassLimits: true } as const;

export function createStripeReader(settings: ReaderSettings): StripeReader {
  const { stripe, payments, handler, clock, logger, every = everyInterval } = settings;
  let lacked: readonly string[] = [];
  let unsent: readonly string[] = [];
  let rounds = 0;
  let running: Promise<void> | null = null;
  let stopTimer: (() => void) | null = null;
  let stopped = false;
  const isStopped = () => stopped;

  const metaOf = (about: string) => ({ actor: 'system:stripe-reader', correlationId: about });

  async function moveTo(position: Partial<Reading>): Promise<void> {
    const about = position.event ?? position.transaction ?? position.until ?? isoTime(clock());
    const meta = { ...metaOf(about), cause: `read:${about}`, time: isoTime(clock()) };
    await handler.execute(readingDecider, READER, { type: 'MoveReader', ...position }, meta, ADMITTED);
  }

  const readEvents: ReadPage<Stripe.Event> = (params) =>
    callStripe(() => stripe.events.list({ types: [...WEBHOOK_EVENTS], ...params }));
  const readBalances: ReadPage<Stripe.BalanceTransaction> = (params) =>
    callStripe(() => stripe.balanceTransactions.list({ expand: ['data.source'], ...params }));
  const events = createListReading(readEvents, {
    isStopped,
    take: takeEvent,
    move: (event) => moveTo({ event }),
  });
  const balances = createListReading(readBalances, {
    isStopped,
    take: takeBalance,
    move: (transaction) => moveTo({ transaction }),
  });

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
      // What Stripe refuses will be refused again, so the reader goes on. If Stripe or a store is down, or the secret key
      // lacks a permission, it stops here.
      if (!(error instanceof PaymentProviderFailed) || isLacking(error)) throw error;
      logger.error({ err: error, about: id }, 'something that was read from Stripe could not be processed');
    }
  }

  /**
   * Records a balance transaction, unless it's known. Before that, asks Stripe about what it says, because its webhook may
   * have been lost. If that fails, the transaction isn't recorded either, and is read again.
   */
  async function takeBalance(transaction: Stripe.BalanceTransaction): Promise<void> {
    const stated = statedBy(transaction);
    const id = balanceIdOf(stated.transaction);
    if ((await handler.load(balanceDecider, id)).state.recorded) return;
    await settleRead(stated.transaction, concernOf(stated), idSchema.safeParse(stated.orderId).data);
    const meta = { ...metaOf(stated.transaction), cause: `balance:${stated.transaction}`, time: isoTime(clock()) };
    await handler.execute(balanceDecider, id, { type: 'RecordBalance', stated }, meta, ADMITTED);
  }

  /** Notes which events Stripe sends to no webhook endpoint of this shop. An account may have other programs' endpoints. */
  async function readEndpoints(): Promise<void> {
    const { data } = await callStripe(() => stripe.webhookEndpoints.list({ limit: MOST_ENDPOINTS }));
    const own = data.filter(({ status, url }) => status === 'enabled' && url.endsWith(WEBHOOK_PATH));
    const sent = new Set(own.flatMap(({ enabled_events: types }) => types));
    unsent = sent.has('*') ? [] : WEBHOOK_EVENTS.filter((type) => !sent.has(type));
  }

  /** Returns why a part of a round failed, or null if it didn't. */
  async function attempt(what: string, read: () => Promise<unknown>): Promise<unknown> {
    try {
      await read();
      return null;
    } catch (error) {
      // A process that stops may have lost its connection to Stripe. The next one goes on reading.
      if (!stopped)
        logger.warn({ err: error, list: what }, 'could not read a list from Stripe; will retry in a minute');
      return error;
    }
  }

  async function round(): Promise<void> {
    const began = clock();
    const { state } = await handler.load(readingDecider, READER);
    const failures = [
      await attempt('events', () => events.read(state.event)),
      await attempt('balance_transactions', () => balances.read(state.transaction)),
      rounds % ENDPOINTS_EVERY === 0 ? await attempt('webhook_endpoints', readEndpoints) : null,
    ];
    rounds += 1;
    lacked = [...new Set(failures.flatMap((error) => (isLacking(error) ? permissionIn(error) : [])))];
    if (!stopped) await noteProgress(state, began, failures.slice(0, 2).find((error) => error !== null) ?? null);
  }

  /** Records how far Stripe's lists have been read by a round that began at `began`, or why they can't be read. */
  async function noteProgress({ until, problem }: Reading, began: number, failure: unknown): Promise<void> {
    const readUntil = until === null ? 0 : Date.parse(until);
    if (failure === null) {
      const now = began - LISTED_WITHIN_MS;
      if (now - readUntil >= LISTED_WITHIN_MS || problem !== null) await moveTo({ until: isoTime(now), problem: null });
    } else if (began - readUntil >= PATIENCE_MS) {
      await moveTo({ problem: failure instanceof Error ? failure.message : String(failure) });
    }
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
    lackedPermissions: () => lacked,
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

/** Returns true if Stripe refused a call because the secret key lacks a permission. */
function isLacking(error: unknown): error is PaymentProviderFailed {
  return error instanceof PaymentProviderFailed && (error.status === 403 || error.status === 401);
}

/** Returns the permission that Stripe's message names, or the whole message if it names none. */
function permissionIn({ message }: PaymentProviderFailed): string {
  return /'rak_([a-z_]+)'/.exec(message)?.[1] ?? message;
}
