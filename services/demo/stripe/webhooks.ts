import http from 'node:http';
import https from 'node:https';
import Stripe from 'stripe';
import type { Clock } from '../../runtime/clock.ts';
import type { Delivery, DeliveryQueue } from './delivery-queue.ts';
import type { Commit } from './group-commit.ts';
import type { Store } from './store.ts';

const CONCURRENCY = 20;
/** Bounds the timer, so that a clock that jumps is noticed. */
const LONGEST_WAIT_MS = 60_000;
/** Node's servers wait 5 s for the next request of a connection. */
const LONGEST_REST_MS = 4_000;

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
  const { Agent, request } = url.startsWith('https:') ? https : http;
  const agent = new Agent({ keepAlive: true, timeout: LONGEST_REST_MS });
  const onTheirWay = new Map<number, Promise<void>>();
  const waiters = new Set<() => void>();
  let timer: NodeJS.Timeout | undefined;
  let running = false;
  let isAwake = false;

  /** Resolves to the status of the answer. Node's own fetch takes twice the processor time. */
  function send(payload: string, headers: Record<string, string>): Promise<number> {
    return new Promise((resolve, reject) => {
      const sent = request(url, { method: 'POST', headers, agent }, (answer) => {
        answer.resume().once('error', reject);
        answer.once('end', () => resolve(answer.statusCode ?? 0));
      });
      const limit = setTimeout(() => sent.destroy(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
      sent.once('error', reject).once('close', () => clearTimeout(limit));
      sent.end(payload);
    });
  }

  async function post(delivery: Delivery): Promise<void> {
    const event = store.get('event', delivery.event);
    const payload = JSON.stringify(event, null, 2);
    const timestamp = Math.floor(clock() / 1000);
    const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp });
    const type = { 'content-type': 'application/json; charset=utf-8' };
    const status = await send(payload, { ...type, 'stripe-signature': signature });
    if (status < 200 || status > 299) throw new Error(`answered ${status}`);
  }

  async function attempt(delivery: Delivery): Promise<void> {
    try {
      await post(delivery);
      await commit(() => queue.succeeded(delivery.id));
    } catch (error) {
      if (running) queue.failed(delivery, reasonOf(error));
    } finally {
      onTheirWay.delete(delivery.id);
      wake();
    }
  }

  /** Looks once for all that happens in one turn. */
  function wake(): void {
    if (isAwake) return;
    isAwake = true;
    setImmediate(look);
  }

  function look(): void {
    isAwake = false;
    if (!running) return;
    clearTimeout(timer);
    const now = clock();
    for (const delivery of queue.due(now)) {
      if (onTheirWay.size >= CONCURRENCY) break;
      if (!onTheirWay.has(delivery.id)) onTheirWay.set(delivery.id, attempt(delivery));
    }
    const next = queue.nextDueAfter(now);
    if (next !== undefined) timer = setTimeout(wake, Math.min(next - now, LONGEST_WAIT_MS));
    if (waiters.size > 0 && queue.unsettled() === 0) for (const tell of waiters) tell();
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
      agent.destroy();
      await Promise.all(onTheirWay.values());
    },
  };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return `${error.message}${cause}`;
}
