import type { RecordedEvent } from '../../contracts/events.ts';
import type { StreamName } from '../../contracts/ids.ts';
import type { Site } from './site.ts';

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
    // After a failed attempt, the order no longer waits.
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
