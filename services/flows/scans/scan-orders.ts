import type { Logger } from 'pino';
import type { OrderDocument } from '../../contracts/documents.ts';
import type { ReadModels } from '../../engine/read-models/read-models.ts';
import { isoTime } from '../../runtime/clock.ts';
import { type Every, everyInterval } from '../../runtime/schedule.ts';
import { orderDecider } from '../../shop/order/decide-order.ts';
import { eachBounded } from '../each-bounded.ts';
import { createOwedSteps, type OwedStepsSettings } from './owed-steps.ts';

export const SCAN_INTERVAL_MS = 5_000;
/** Orders worked on at once. */
const WIDTH = 8;
const PAGE = 500;
/** Orders for which Stripe is asked in one run; the next run goes on behind them. */
const MAX_ATTENDED = 200;

/** A refund that Stripe could not make (PAY6). Where it is not made in time, a person has to give the money back. */
export interface FailedRefund {
  readonly orderId: string;
  readonly intent: string;
  readonly failures: number;
}

export interface OrderScanSettings extends OwedStepsSettings {
  readonly readModels: Pick<ReadModels, 'ordersToExpire' | 'ordersOwing'>;
  readonly logger: Pick<Logger, 'warn' | 'error'>;
  readonly every?: Every;
}

/**
 * What waits on time or on Stripe: unpaid orders expire (ORD6), refunds are made (PAY4), open intents are asked for
 * (PAY5). Any number of copies may run; each step is decided again on the order's stream.
 */
export interface OrderScan {
  /** Scans now and every 5 s. */
  start(): void;
  /** One whole scan; while another runs, the next one. Never rejects. */
  runOnce(): Promise<void>;
  /** These orders owe something since just now: they are attended without waiting for the next scan. */
  nudge(orderIds: readonly string[]): void;
  /** Refunds that failed and are still due, as the last whole scan found them. */
  failedRefunds(): readonly FailedRefund[];
  /** Resolves once the orders in flight are done; no further ones are begun. */
  stop(): Promise<void>;
}

export function createOrderScan(settings: OrderScanSettings): OrderScan {
  const { handler, readModels, clock, logger, every = everyInterval } = settings;
  const steps = createOwedSteps(settings);
  const nudged = new Set<string>();
  let scanWanted = false;
  let running: Promise<void> | null = null;
  let stopTimer: (() => void) | null = null;
  let stopped = false;
  let afterId = '';
  let failed: { known: readonly FailedRefund[]; met: FailedRefund[] } = { known: [], met: [] };

  /** One run at a time: what is asked for meanwhile is done by the same run's next turn. */
  function wake(): Promise<void> {
    running ??= run();
    return running;
  }

  async function run(): Promise<void> {
    // wake() has to have kept this promise before it can end.
    await null;
    try {
      while (!stopped && (scanWanted || nudged.size > 0)) {
        const orderIds = [...nudged];
        const scan = scanWanted;
        nudged.clear();
        scanWanted = false;
        steps.beginRun();
        await each(orderIds, steps.attend);
        if (scan) await scanAll();
      }
    } catch (error) {
      logger.error({ err: error }, 'the scan of orders was cut; the next one begins anew');
    } finally {
      running = null;
    }
  }

  async function scanAll(): Promise<void> {
    const expiring = await readModels.ordersToExpire(isoTime(clock()), PAGE);
    await each(
      expiring.map(({ id }) => id),
      expire,
    );
    await attendOwing();
  }

  async function attendOwing(): Promise<void> {
    let attended = 0;
    while (!stopped && attended < MAX_ATTENDED) {
      const page = await readModels.ordersOwing(afterId, PAGE);
      const due = page.filter(steps.isDue).slice(0, MAX_ATTENDED - attended);
      attended += due.length;
      await each(
        due.map(({ id }) => id),
        steps.attend,
      );
      const cut = attended === MAX_ATTENDED;
      const ended = !cut && page.length < PAGE;
      const reached = (cut ? due : page).at(-1)?.id ?? '';
      failed.met.push(...page.filter(({ id }) => ended || id <= reached).flatMap(failedRefundsOf));
      afterId = ended ? '' : reached;
      if (!ended) continue;
      failed = { known: failed.met, met: [] };
      return;
    }
  }

  async function expire(orderId: string): Promise<void> {
    await steps.reconcileBeforeExpiry(orderId);
    const time = isoTime(clock());
    const cause = `expire:${orderId}`;
    const meta = { cause, actor: 'system:expire-order', correlationId: cause, time };
    await handler.execute(orderDecider, orderId, { type: 'ExpireOrder', now: time }, meta, { admitted: true });
  }

  /** One order's failure never stops the others. */
  function each(orderIds: readonly string[], work: (orderId: string) => Promise<void>): Promise<void> {
    return eachBounded(orderIds, WIDTH, async (orderId) => {
      if (stopped) return;
      try {
        await work(orderId);
      } catch (error) {
        logger.error({ err: error, orderId }, 'an order could not be attended');
      }
    });
  }

  function runOnce(): Promise<void> {
    scanWanted = true;
    return wake();
  }

  return {
    start() {
      stopTimer ??= every(SCAN_INTERVAL_MS, () => void runOnce());
      void runOnce();
    },
    runOnce,
    nudge(orderIds) {
      for (const orderId of orderIds) nudged.add(orderId);
      void wake();
    },
    failedRefunds: () => failed.known,
    async stop() {
      stopped = true;
      stopTimer?.();
      await running;
    },
  };
}

function failedRefundsOf({ id, owes }: OrderDocument): FailedRefund[] {
  return owes.refunds.flatMap(({ intent, failures }) => (failures ? [{ orderId: id, intent, failures }] : []));
}
