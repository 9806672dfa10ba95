import http from 'node:http';
import https from 'node:https';
import Stripe from 'stripe';
import type { Delivery } from './delivery-queue.ts';
import type { Simulation } from './simulation.ts';

const CONCURRENCY = 20;
/** The longest delay before the next check of the queue. It's capped so that a change to the system clock is noticed. */
const LONGEST_WAIT_MS = 60_000;
/** How long an idle connection is kept open. This must be less than 5 s, because Node's servers close an idle connection after 5 s. */
const LONGEST_REST_MS = 4_000;

export interface WebhookSender {
  start(): void;
  /** Call this after a commit that added deliveries. */
  wake(): void;
  /** Stops sending. Deliveries in flight are aborted and stay pending. */
  stop(): Promise<void>;
}

/**
 * Sends the queued events to the webhook endpoint, signed as Stripe signs them. A delivery is retried if it gets no 2xx
 * response within `webhookTimeoutMs`.
 */
export function createWebhookSender({ settings, deliveries, store, commit, clock }: Simulation): WebhookSender {
  const { webhookUrl: url, webhookSecret: secret, webhookTimeoutMs: timeoutMs } = settings;
  const { Agent, request } = url.startsWith('https:') ? https : http;
  const agent = new Agent({ keepAlive: true, timeout: LONGEST_REST_MS });
  const onTheirWay = new Map<number, Promise<void>>();
  let timer: NodeJS.Timeout | undefined;
  let running = false;
  let isAwake = false;

  /** Resolves with the response's status code. Node's fetch isn't used, because it takes twice as much CPU time. */
  function send(payload: string, headers: Record<string, string>): Promise<number> {
    return new Promise((resolve, reject) => {
      const sent = request(url, { method: 'POST', headers, agent }, (answer) => {
        answer.resume().once('error', reject);
        answer.once('end', () => resolve(answer.statusCode ?? 0));
      });
      const limit = setTimeout(() => sent.destroy(new Error(`no response within ${timeoutMs} ms`)), timeoutMs);
      sent.once('error', reject).once('close', () => clearTimeout(limit));
      sent.end(payload);
    });
  }

  async function post(delivery: Delivery): Promise<void> {
    const event = store.get('event', delivery.event);
    if (!event) throw new Error('the event belongs to another account');
    const payload = JSON.stringify(event, null, 2);
    const timestamp = Math.floor(clock() / 1000);
    const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp });
    const type = { 'content-type': 'application/json; charset=utf-8' };
    const status = await send(payload, { ...type, 'stripe-signature': signature });
    if (status < 200 || status > 299) throw new Error(`responded with ${status}`);
  }

  async function attempt(delivery: Delivery): Promise<void> {
    try {
      await post(delivery);
      await commit(() => deliveries.succeeded(delivery.id));
    } catch (error) {
      if (running) deliveries.failed(delivery, error instanceof Error ? error.message : String(error));
    } finally {
      onTheirWay.delete(delivery.id);
      wake();
    }
  }

  /** Schedules a check of the queue. All calls in one turn of the event loop share a check. */
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
    for (const delivery of deliveries.due(now)) {
      if (onTheirWay.size >= CONCURRENCY) break;
      if (!onTheirWay.has(delivery.id)) onTheirWay.set(delivery.id, attempt(delivery));
    }
    const next = deliveries.nextDueAfter(now);
    if (next !== undefined) timer = setTimeout(wake, Math.min(next - now, LONGEST_WAIT_MS));
  }

  return {
    start() {
      running = true;
      deliveries.release();
      deliveries.hasten();
      wake();
    },
    wake,
    async stop() {
      running = false;
      clearTimeout(timer);
      agent.destroy();
      await Promise.all(onTheirWay.values());
    },
  };
}
