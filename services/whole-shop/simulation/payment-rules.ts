import type { RecordedEvent } from '../../contracts/events.ts';
import { parseStreamName, type StreamName } from '../../contracts/ids.ts';
import type { Plan } from './plan.ts';
import type { SimulatedStripe } from './simulated-stripe.ts';

type Streams = ReadonlyMap<StreamName, readonly RecordedEvent[]>;

/** A payment counts as made in time if it was made this long before the order expired, in ms. */
const IN_TIME_MS = 60_000;

/** Returns one sentence for each payment that expired although it was made in time, and each refund that was recorded too early. */
export function checkPayments(streams: Streams, stripe: SimulatedStripe, plan: Plan): string[] {
  return [...(isReachable(plan) ? expiredPayments(streams, stripe) : []), ...earlyRefunds(streams, stripe)];
}

/** Returns true if the shop could reach Stripe the whole time. Webhooks may have been lost. */
function isReachable({ links: { stripe }, disasters }: Plan): boolean {
  const { clock, pause, kill } = disasters;
  const others = disasters['cut process'] + disasters['cut target'] + disasters['stripe fails'];
  return stripe.slow + stripe.lost + stripe.lostAnswer + stripe.crash + clock + pause + kill + others === 0;
}

/** Before an order expires, the shop asks Stripe whether it was paid (ORD6). */
function expiredPayments(streams: Streams, stripe: SimulatedStripe): string[] {
  const expired = new Map<string, number>();
  for (const [stream, events] of streams) {
    const end = events.find((event) => event.type === 'OrderCancelled' && event.data.reason === 'expired');
    if (end) expired.set(parseStreamName(stream).id, Date.parse(end.time));
  }
  return stripe.charges().flatMap(({ paid, created, metadata, payment_intent: intent }) => {
    const id = String(metadata?.orderId);
    const at = expired.get(id);
    const isOwn = streams
      .get(`order-${id}`)
      ?.some((event) => event.type === 'PaymentStarted' && event.data.intent === intent);
    return paid && isOwn && at !== undefined && created * 1_000 < at - IN_TIME_MS
      ? [`ORD6 order ${id} expired although it was paid in time`]
      : [];
  });
}

/** A refund is recorded as made only once Stripe has said that it succeeded (PAY6). */
function earlyRefunds(streams: Streams, { succeededAt }: SimulatedStripe): string[] {
  return [...streams].flatMap(([stream, events]) =>
    events.flatMap((event) => {
      if (event.type !== 'PaymentRefunded') return [];
      const at = succeededAt.get(event.data.refund);
      return at === undefined || at > Date.parse(event.time) + IN_TIME_MS
        ? [`PAY6 a refund of ${stream} was recorded before it had succeeded`]
        : [];
    }),
  );
}
