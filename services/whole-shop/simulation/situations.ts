import type { RecordedEvent } from '../../contracts/events.ts';
import { parseStreamName, type StreamName } from '../../contracts/ids.ts';
import type { World } from './world.ts';

type Events = readonly RecordedEvent[];

/**
 * Rare situations that can be recognized from a stream's events. Each function returns how often the situation
 * occurred.
 */
const IN_STREAM: Readonly<Record<string, (events: Events) => number>> = {
  'a policy finished an interrupted placement': (events) =>
    count(events, ({ type, actor }) => type === 'OrderPlaced' && actor === 'system:finish-placement'),
  'an order expired': (events) => cancelled(events, 'expired'),
  'a customer cancelled an order': (events) => cancelled(events, 'customer'),
  'an admin cancelled an order': (events) => cancelled(events, 'admin'),
  'a payment came after its order had expired': (events) => due(events, 'order_expired'),
  'a payment came after its order was cancelled': (events) => due(events, 'order_cancelled'),
  'a refund was made': (events) => count(events, ({ type }) => type === 'PaymentRefunded'),
  'a refund failed': (events) => count(events, ({ type }) => type === 'RefundFailed'),
  'a refund was made after one had failed': (events) =>
    follows(
      events,
      ({ type }) => type === 'RefundFailed',
      ({ type }) => type === 'PaymentRefunded',
    ),
  'three refunds of one intent failed': (events) => (count(events, ({ type }) => type === 'RefundFailed') >= 3 ? 1 : 0),
  'a refund was granted': (events) => count(events, ({ type }) => type === 'RefundGranted'),
  'a refund cancelled its order': (events) =>
    follows(
      events,
      ({ type }) => type === 'RefundGranted',
      ({ type }) => type === 'OrderCancelled',
    ),
  'a granted refund was made': (events) => refunds(events, 'succeeded', true),
  'a granted refund failed': (events) => refunds(events, 'failed', true),
  'a refund of the dashboard was recorded': (events) => refunds(events, 'succeeded', false),
  'a refund was recorded after its order had shipped': (events) =>
    follows(
      events,
      ({ type }) => type === 'OrderShipped',
      ({ type }) => type === 'RefundReported',
    ),
  'a dispute took the money': (events) =>
    count(events, (event) => event.type === 'DisputeReported' && event.data.withdrawn && !event.data.reinstated),
  'a dispute gave the money back': (events) =>
    count(events, (event) => event.type === 'DisputeReported' && event.data.reinstated),
  'a dispute was lost': (events) =>
    count(events, (event) => event.type === 'DisputeReported' && event.data.status === 'lost'),
  'a payment was processed for a while': (events) =>
    follows(
      events,
      ({ type }) => type === 'PaymentProcessing',
      ({ type }) => type === 'PaymentRecorded',
    ),
  'a payment failed after it was processed': (events) =>
    follows(
      events,
      ({ type }) => type === 'PaymentProcessing',
      ({ type }) => type === 'PaymentFailed',
    ),
  'a payment came after its order had waited for too long': (events) =>
    follows(
      events,
      ({ type }) => type === 'PaymentProcessing',
      (event) => event.type === 'RefundDue' && event.data.reason === 'order_expired',
    ),
  'an order whose money went back was erased': (events) =>
    follows(
      events,
      ({ type }) => type === 'RefundGranted' || type === 'DisputeReported',
      ({ type }) => type === 'PersonalDataErased',
    ),
  'an intent was abandoned and another one paid': (events) =>
    follows(
      events,
      ({ type }) => type === 'PaymentAbandoned',
      ({ type }) => type === 'PaymentRecorded',
    ),
  'an order had several intents': (events) => (count(events, ({ type }) => type === 'PaymentStarted') > 1 ? 1 : 0),
  'a webhook recorded a payment': (events) => paidBy(events, 'system:stripe-webhook'),
  'the scan recorded a payment': (events) => paidBy(events, 'system:reconcile-payment'),
  "the reader of Stripe's lists recorded a payment": (events) => paidBy(events, 'system:stripe-reader'),
  "a browser's report recorded a payment": (events) =>
    count(events, ({ type, actor }) => type === 'PaymentRecorded' && !actor.startsWith('system:')),
  'a shipment was withdrawn without a reason': (events) =>
    count(events, (event) => event.type === 'ShipmentWithdrawn' && event.data.reason === null),
  'a shipment was withdrawn with a reason': (events) =>
    count(events, (event) => event.type === 'ShipmentWithdrawn' && event.data.reason !== null),
  'an order was shipped again after a withdrawal': (events) =>
    follows(
      events,
      ({ type }) => type === 'ShipmentWithdrawn',
      ({ type }) => type === 'OrderShipped',
    ),
  'an address was corrected after the payment': (events) =>
    follows(
      events,
      ({ type }) => type === 'PaymentRecorded',
      ({ type }) => type === 'DeliveryChanged',
    ),
  'an e-mail was claimed again': (events) => {
    const claims = events.flatMap((event) => (event.type === 'MailClaimed' ? [event.data.mail] : []));
    return claims.length - new Set(claims).size;
  },
  'a correction was mailed': (events) =>
    count(events, (event) => event.type === 'MailSent' && event.data.mail.startsWith('withdrawn')),
  'an e-mail was given up': (events) => count(events, ({ type }) => type === 'MailGivenUp'),
  'an e-mail was outdated before it was sent': (events) =>
    count(events, (event) => event.type === 'MailGivenUp' && event.data.reason === 'outdated'),
  'the mail server refused an e-mail for good': (events) =>
    count(events, (event) => event.type === 'MailGivenUp' && event.data.reason === 'refused'),
  'a person was erased': (events) => count(events, ({ type }) => type === 'ErasureCompleted'),
  'an order was erased late': (events) =>
    count(events, ({ type, cause }) => type === 'PersonalDataErased' && cause.startsWith('erase-late:')),
  'an erasure met a payment': (events) =>
    follows(
      events,
      ({ type }) => type === 'PersonalDataErased',
      ({ type }) => type === 'RefundDue',
    ),
  'an account was taken over': (events) =>
    count(events, (event) => event.type === 'AccountClosed' && event.data.reason === 'taken_over'),
  'an account was released': (events) =>
    count(events, (event) => event.type === 'AccountClosed' && event.data.reason === 'released'),
  'a role was granted again': (events) => (count(events, ({ type }) => type === 'AdminGranted') > 1 ? 1 : 0),
  'stock came back': (events) => count(events, ({ type }) => type === 'StockReturned'),
  'stock came back to a removed product': (events) =>
    follows(
      events,
      ({ type }) => type === 'ProductRemoved',
      ({ type }) => type === 'StockReturned',
    ),
  'holds were released': (events) => count(events, ({ type }) => type === 'HoldsReleased'),
  'a review was replaced': (events) => Math.max(0, count(events, ({ type }) => type === 'ReviewPosted') - 1),
};

/** Rare situations that are recorded while a run is in progress, as they occur. */
const NOTED = [
  'an append of unknown outcome was durable',
  'an append of unknown outcome was not durable',
  'a commit was appended again',
  'an append met a newer version',
  'several orders took their stock in one commit',
  'a placement that had taken its stock was sent again',
  'a projector met a newer document',
  'two projectors saved the same version',
  'a commit was published again',
  'a consumer group rebalanced during a batch',
  'a consumer rejoined its group after a pause',
  'Kafka lost acknowledged messages',
  'a crash lost unsynced writes',
  'a snapshot was used',
  'a request was repeated more than once',
  'a repeated placement got its first answer',
  'an e-mail was sent twice',
  'a customer paid in the last minute',
  'Stripe repeated a stored answer',
  'Stripe repeated a stored failure',
  'a webhook was delivered again',
  'the bank sent a completed refund back',
  'a refund was made in the dashboard',
  'a payment was disputed',
  'a dispute gave only a part of the money back',
  'Stripe booked a payout',
  'Stripe booked a payout that failed',
  'Stripe booked a top-up',
  'Stripe booked a fee',
  'answer: order_changed',
  'answer: order_refunded',
  'answer: order_disputed',
  'answer: refund_too_large',
  'answer: refund_pending',
  'answer: price_changed',
  'answer: quantity_out_of_range',
  'answer: too_many_unpaid_orders',
  'answer: order_on_its_way',
  'answer: order_cancelled',
  'answer: order_paid',
  'answer: order_not_paid',
  'answer: shipment_final',
  'answer: last_admin',
  'answer: stale_version',
  'answer: unauthenticated',
  'answer: forbidden',
  'answer: store_unavailable',
  'answer: payment_unavailable',
  "log: could not erase a person's data; will retry",
  'Redis was silent',
  'Redis was read-only',
  'a gateway missed pushes of the broadcast',
  "a gateway couldn't read a role",
  'a live connection was refused: unauthenticated',
  'a live connection was refused: unavailable',
  'a push was lost on the way to a browser',
  'a response brought changes that a browser had not got yet',
  'a push arrived before a response that it outdates',
  'a browser had the current response',
  'a browser reconnected to another gateway',
  'a laptop slept and woke up',
  "a browser's role changed while it was connected",
] as const;

/** The names of all rare situations. Each of them must occur at least once in a long series of runs. */
export const SITUATIONS: readonly string[] = [...Object.keys(IN_STREAM), ...NOTED];

/** Records the rare situations that are recognized from the events of the log's streams. */
export function noteSituations(world: World, streams: ReadonlyMap<StreamName, Events>): void {
  for (const [stream, events] of streams) {
    if (parseStreamName(stream).kind === 'allowance' && events.length === 0) continue;
    for (const [name, occurrences] of Object.entries(IN_STREAM)) {
      for (let left = occurrences(events); left > 0; left -= 1) world.note(name);
    }
  }
}

type Test = (event: RecordedEvent) => boolean;

const count = (events: Events, test: Test) => events.filter(test).length;

/** Returns 1 if an event that passes `later` comes after one that passes `earlier`, and otherwise 0. */
function follows(events: Events, earlier: Test, later: Test): number {
  const first = events.findIndex(earlier);
  return first !== -1 && events.slice(first + 1).some(later) ? 1 : 0;
}

const cancelled = (events: Events, reason: string) =>
  count(events, (event) => event.type === 'OrderCancelled' && event.data.reason === reason);
const due = (events: Events, reason: string) =>
  count(events, (event) => event.type === 'RefundDue' && event.data.reason === reason);
const refunds = (events: Events, status: string, isGranted: boolean) =>
  count(
    events,
    (event) =>
      event.type === 'RefundReported' && event.data.status === status && (event.data.grant !== null) === isGranted,
  );
const paidBy = (events: Events, actor: string) =>
  count(events, (event) => event.type === 'PaymentRecorded' && event.actor === actor);
