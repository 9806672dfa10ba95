import { z } from 'zod';
import type { RecordedEvent } from '../../contracts/events.ts';
import { type StreamName, streamName } from '../../contracts/ids.ts';
import type { EventsOf } from './refusals.ts';
import type { Site } from './site.ts';
import type { World } from './world.ts';

type Streams = ReadonlyMap<StreamName, readonly RecordedEvent[]>;
type Context = Pick<Site, 'world' | 'providers'>;

/** How much two clocks may differ, in ms. */
const CLOCKS_MS = 40_000;
/** Stripe states times in whole seconds. */
const SECOND_MS = 1_000;
/** How long the shop may wait for an answer of Stripe or the log, in ms. */
const CALL_MS = 60_000;

/** Returns one sentence for each order that expired although it was paid in time, and each refund that was recorded too early. */
export function checkPayments(streams: Streams, context: Context, exactClocks: boolean): string[] {
  const margin = exactClocks ? SECOND_MS : CLOCKS_MS;
  return [...expiredPayments(streams, context, margin), ...earlyRefunds(streams, context)];
}

/** Before an order expires, the shop asks Stripe whether the order was paid (ORD6). Webhooks may have been lost. */
function expiredPayments(streams: Streams, { world, providers }: Context, margin: number): string[] {
  return providers.stripe.charges().flatMap(({ paid, created, metadata, payment_intent: intent }) => {
    const id = String(metadata?.orderId);
    const order = streams.get(`order-${id}`) ?? [];
    const [placed] = order;
    const isOwn = order.some((event) => event.type === 'PaymentStarted' && event.data.intent === intent);
    const expired = order.find((event) => event.type === 'OrderCancelled' && event.data.reason === 'expired');
    if (!paid || !isOwn || placed?.type !== 'OrderPlaced' || !expired) return [];
    const expiresAt = Date.parse(placed.data.draft.expiresAt);
    const expiredAt = world.durableAt.get(expired.id) ?? 0;
    // Once an attempt has failed, the order no longer waits for this payment.
    const progress = order.findLast(
      (event) => (event.type === 'PaymentProcessing' || event.type === 'PaymentFailed') && event.data.intent === intent,
    );
    if (progress?.type === 'PaymentProcessing') {
      return expiredAt + margin < Date.parse(progress.data.until)
        ? [`PAY7 order ${id} expired while its payment was being processed`]
        : [];
    }
    const wasInTime = created * SECOND_MS + margin <= expiresAt;
    const matters = (what: string) => what === 'stripe' || what === 'stripe fails' || what === 'log';
    return wasInTime && world.wasCalm(Math.min(expiresAt, expiredAt) - CALL_MS, expiredAt, matters)
      ? [`ORD6 order ${id} expired although it was paid in time`]
      : [];
  });
}

/** A refund is recorded as made only once Stripe has said that it succeeded (PAY6). */
function earlyRefunds(streams: Streams, { world, providers: { stripe } }: Context): string[] {
  return [...streams].flatMap(([stream, events]) =>
    events.flatMap((event) => {
      if (event.type !== 'PaymentRefunded') return [];
      const at = stripe.succeededAt.get(event.data.refund) ?? Infinity;
      return at > (world.durableAt.get(event.id) ?? 0)
        ? [`PAY6 a refund of ${stream} was recorded before it had succeeded`]
        : [];
    }),
  );
}

const failedRefundSchema = z.object({
  data: z.object({
    object: z.object({
      id: z.string().startsWith('re_'),
      status: z.enum(['failed', 'canceled']),
      metadata: z.object({ orderId: z.string() }),
    }),
  }),
});

/**
 * Checks a webhook that the shop has acknowledged. If it says that a refund made by the shop has failed, that must be in
 * the log by now (PAY3).
 */
export function checkAcknowledged(world: World, eventsOf: EventsOf, body: Buffer): void {
  const parsed = failedRefundSchema.safeParse(JSON.parse(body.toString()));
  if (!parsed.success) return;
  const { id, status, metadata } = parsed.data.data.object;
  const isRecorded = eventsOf(streamName('order', metadata.orderId)).some(
    (event) =>
      (event.type === 'RefundFailed' && event.data.refund === id) ||
      (event.type === 'RefundReported' && event.data.refund === id && event.data.status === status),
  );
  if (!isRecorded) world.fault(`PAY3 a webhook about the failed refund ${id} was acknowledged and is not recorded`);
}
