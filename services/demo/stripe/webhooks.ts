import Stripe from 'stripe';
import type { Clock } from '../../runtime/clock.ts';
import type { Delivery, DeliveryQueue } from './delivery-queue.ts';
import type { Commit } from './group-commit.ts';
import type { Store } from './store.ts';

const CONCURRENCY = 20;
/** Bounds the timer, so that a clock that jumps is noticed. */
const LONGEST_WAIT_MS = 60_000;

export interface WebhookSender {
  start(): void;
  /** To be called after a commit that added deliveries. */
  wake(): void;
  /** Resolves to whether nothing is left to deliver, at the latest after `timeoutMs`. */
  settled(timeoutMs: number): Promise<boolean>;
  /** Deliveries in flight are aborted and stay pending. */
  stop(): Promise<void>;
}

/** Signs with Stripe's scheme at each attempt. Anything but a 2xx answer within `timeoutMs` is a failure and is retried. */
export function createWebhookSender(options: {
  queue: DeliveryQueue;
  store: Store;
  commit: Commit;
  clock: Clock;
  url: string;
  secret: string;
  timeoutMs: number;
}): WebhookSender {
  const { queue, store, commit, clock, url, secret, timeoutMs } = options;
  const stopping = new AbortController();
  const onTheirWay = new Map<number, Promise<void>>();
  const waiters = new Set<() => void>();
  let timer: NodeJS.Timeout | undefined;
  let running = false;

  async function post(delivery: Delivery): Promise<void> {
    const event = store.get('event', delivery.event);
    const payload = JSON.stringify(event, null, 2);
    const timestamp = Math.floor(clock() / 1000);
    const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp });
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature },
      body: payload,
      redirect: 'manual',
      signal: AbortSignal.any([stopping.signal, AbortSignal.timeout(timeoutMs)]),
    });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`answered ${response.status}`);
  }

  async function attempt(delivery: Delivery): Promise<void> {
    try {
      await post(delivery);
      await commit(() => queue.succeeded(delivery.id));
    } catch (error) {
      if (!stopping.signal.aborted) queue.failed(delivery, reasonOf(error));
    } finally {
      onTheirWay.delete(delivery.id);
      wake();
    }
  }

  function wake(): void {
    if (!running) return;
    clearTimeout(timer);
    const now = clock();
    for (const delivery of queue.due(now)) {
      if (onTheirWay.size >= CONCURRENCY) break;
      if (!onTheirWay.has(delivery.id)) onTheirWay.set(delivery.id, attempt(delivery));
    }
    const next = queue.nextDueAfter(now);
    if (next !== undefined) timer = setTimeout(wake, Math.min(next - now, LONGEST_WAIT_MS));
    if (queue.unsettled() === 0) for (const tell of waiters) tell();
  }

  return {
    start() {
      running = true;
      queue.release();
      queue.hasten();
      wake();
    },
    wake,
    settled(timeout) {
      if (queue.unsettled() === 0) return Promise.resolve(true);
      return new Promise((resolve) => {
        const end = (settled: boolean) => {
          clearTimeout(limit);
          waiters.delete(tell);
          resolve(settled);
        };
        const tell = () => end(true);
        const limit = setTimeout(() => end(false), timeout);
        waiters.add(tell);
      });
    },
    async stop() {
      running = false;
      clearTimeout(timer);
      stopping.abort();
      await Promise.all(onTheirWay.values());
    },
  };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return `${error.message}${cause}`;
}
