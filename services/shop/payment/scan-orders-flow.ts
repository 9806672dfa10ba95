import { setImmediate as nextTurn } from 'node:timers/promises';
import pLimit from 'p-limit';
import type { Logger } from 'pino';
import type { Position } from '../../engine/read-models/cursor.ts';
import type { ReadModels, VersionedId } from '../../engine/read-models/read-models.ts';
import { isoTime } from '../../runtime/clock.ts';
import { type Every, everyInterval } from '../../runtime/schedule.ts';
import { orderDecider } from '../order/decide-order.ts';
import { ordersToExpire, ordersWithDueWork } from '../order/order-documents.ts';
import { ASKED_AFTER_MS, createDueWork, type DueWorkSettings, type FailedRefund } from './due-work-flow.ts';

export const SCAN_INTERVAL_MS = 5_000;
const MAX_IN_FLIGHT = 8;
const PAGE = 500;
/** The maximum number of orders for which one scan calls Stripe. The next scan continues with the orders after them. */
const MAX_HANDLED = 200;

export interface OrderScanSettings extends DueWorkSettings {
  readonly readModels: Pick<ReadModels, 'findIds'>;
  readonly logger: Pick<Logger, 'warn' | 'error'>;
  readonly every?: Every | undefined;
}

/**
 * Does the work that has to wait for a point in time or for Stripe: expiry (ORD6), refunds (PAY4) and reconciliation
 * (PAY5). Any number of processes may run the scan at the same time.
 */
export interface OrderScan {
  start(): void;
  /**
   * Scans once more, after any scan that is already running, and resolves when the new scan is done. Never rejects,
   * because a failed scan is only logged.
   */
  runOnce(): Promise<void>;
  nudge(orderIds: readonly string[]): void;
  /**
   * Returns the refunds that are owed and that failed or were refused, as of the last complete walk through the orders with
   * due work. A refund stays here until it's made, even if only a person can make it.
   */
  failedRefunds(): readonly FailedRefund[];
  /** Stops handling orders, and resolves once the orders in flight are done. */
  stop(): Promise<void>;
}

export function createOrderScan(settings: OrderScanSettings): OrderScan {
  const { handler, readModels, clock, logger, every = everyInterval } = settings;
  const steps = createDueWork(settings);
  const nudged = new Set<string>();
  let scanWanted = false;
  let running: Promise<void> | null = null;
  let stopTimer: (() => void) | null = null;
  let stopped = false;
  /**
   * The current walk through all orders with due work, which may take several scans. `after` is the position of the last
   * order visited, and `failed` lists the failed refunds found so far.
   */
  let walk: { after?: Position; readonly failed: FailedRefund[] } = { failed: [] };
  let failedRefunds: readonly FailedRefund[] = [];

  /**
   * Starts run() unless it is already active. If another scan or nudge() is requested while run() is active, run()
   * handles it in its next round.
   */
  function wake(): Promise<void> {
    running ??= run();
    return running;
  }

  async function run(): Promise<void> {
    // Without this pause, run() could finish and reset `running` before wake() assigns it.
    await null;
    while (!stopped && (scanWanted || nudged.size > 0)) {
      const orderIds = [...nudged];
      const scan = scanWanted;
      nudged.clear();
      scanWanted = false;
      steps.beginRound();
      await each(orderIds, steps.takeDue);
      if (scan) await scanAll();
    }
    running = null;
  }

  async function scanAll(): Promise<void> {
    try {
      const expiring = await readModels.findIds(ordersToExpire(isoTime(clock())), { limit: PAGE });
      await each(idsOf(expiring), expire);
      await handleDueOrders();
    } catch (error) {
      logger.error({ err: error }, 'the order scan failed; the next scan will retry');
    }
  }

  /**
   * Continues the walk through the orders with due work, page by page, until the walk ends or MAX_HANDLED orders have
   * been handled.
   */
  async function handleDueOrders(): Promise<void> {
    let handled = 0;
    while (!stopped && handled < MAX_HANDLED) {
      const page = await readModels.findIds(ordersWithDueWork(isoTime(clock() - ASKED_AFTER_MS)), {
        limit: PAGE,
        after: walk.after,
      });
      const due = page.filter(steps.isDue).slice(0, MAX_HANDLED - handled);
      handled += due.length;
      await each(idsOf(due), steps.takeDue);
      const shareIsUsed = handled === MAX_HANDLED;
      // The next scan continues after the last order handled, which may be in the middle of this page.
      pass(shareIsUsed ? page.slice(0, page.findLastIndex((order) => due.includes(order)) + 1) : page);
      // The store may return a page without any I/O. Without this pause, other requests would wait until every page is
      // handled.
      await nextTurn();
      if (!shareIsUsed && page.length < PAGE) return endWalk();
    }
  }

  function pass(orders: readonly (VersionedId & Position)[]): void {
    walk.failed.push(...idsOf(orders).flatMap(steps.failedRefunds));
    walk.after = orders.at(-1) ?? walk.after;
  }

  function endWalk(): void {
    failedRefunds = walk.failed;
    walk = { failed: [] };
  }

  async function expire(orderId: string): Promise<void> {
    await steps.reconcileBeforeExpiry(orderId);
    const time = isoTime(clock());
    const cause = `expire:${orderId}`;
    const meta = { cause, actor: 'system:expire-order', correlationId: cause, time };
    await handler.execute(orderDecider, orderId, { type: 'ExpireOrder', now: time }, meta, { bypassLimits: true });
  }

  /** If one order fails, the error is logged and the other orders are still handled. */
  async function each(orderIds: readonly string[], work: (orderId: string) => Promise<void>): Promise<void> {
    await pLimit(MAX_IN_FLIGHT).map(orderIds, async (orderId) => {
      if (stopped) return;
      try {
        await work(orderId);
      } catch (error) {
        logger.error({ err: error, orderId }, 'an order could not be handled; a later scan will retry');
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
    failedRefunds: () => failedRefunds,
    async stop() {
      stopped = true;
      stopTimer?.();
      await running;
    },
  };
}

function idsOf(orders: readonly VersionedId[]): string[] {
  return orders.map(({ id }) => id);
}
