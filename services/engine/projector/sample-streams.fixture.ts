import type { DomainEvent, RecordedEvent } from '../../contracts/events.ts';
import { parseStreamName, type StreamName, streamName } from '../../contracts/ids.ts';
import { EVENT_SOURCE } from '../commands/writable-event.ts';

const customer = 'c'.repeat(32);
/** The id of a user whose account was closed. */
export const closedUser = 'f'.repeat(32);
const personal = { name: 'Rahim', email: 'rahim@shop.test', phone: '0170000', address: 'Dhaka' };
const details = { img1: '/a.svg', img2: '', processor: '8-core', gpu: '', rated: '', description: 'quiet work' };

export const productId = 'b'.repeat(32);
export const orderIdOf = (number: number) => (0xa000 + number).toString(16).padStart(32, '0');

const draftOf = (number: number) => ({
  orderId: orderIdOf(number),
  number: `MC-${1000 + number}`,
  productId,
  product: 'Tower One',
  quantity: 2,
  price: 1_250_050,
  total: 25_001,
  placedAt: '2026-01-01T00:00:00.000Z',
  expiresAt: '2026-01-02T00:00:00.000Z',
});
const placement = (number: number) => ({ draft: draftOf(number), person: customer, personal });
const payment = { intent: 'pi_1', amount: 2_500_100, currency: 'bdt' };

/** The events of a few streams, covering every document kind except mail. */
const STREAM_EVENTS: readonly (readonly [StreamName, readonly DomainEvent[]])[] = [
  [
    streamName('product', productId),
    [
      { type: 'ProductAdded', data: { ...details, name: 'Tower One', price: 1_250_050, minorder: 1, quantity: 50 } },
      { type: 'StockReduced', data: placement(1) },
      { type: 'StockReduced', data: placement(2) },
      { type: 'ProductChanged', data: { changes: { name: 'Tower One B', price: 1_300_000 } } },
      { type: 'StockReturned', data: { orderId: orderIdOf(2), quantity: 2 } },
      { type: 'StockAdjusted', data: { by: 7 } },
      { type: 'ProductRemoved', data: {} },
    ],
  ],
  [
    streamName('order', orderIdOf(1)),
    [
      { type: 'OrderPlaced', data: placement(1) },
      { type: 'PaymentStarted', data: { intent: 'pi_0', attempt: 1, amount: payment.amount } },
      { type: 'PaymentAbandoned', data: { intent: 'pi_0' } },
      { type: 'PaymentStarted', data: { intent: 'pi_1', attempt: 2, amount: payment.amount } },
      { type: 'PaymentRecorded', data: payment },
      { type: 'OrderShipped', data: { shippedAt: '2026-01-01T00:00:05.000Z' } },
    ],
  ],
  [
    streamName('order', orderIdOf(2)),
    [
      { type: 'OrderPlaced', data: placement(2) },
      { type: 'DeliveryChanged', data: { person: customer, personal: { address: 'House 9, Sylhet' } } },
      { type: 'PaymentStarted', data: { intent: 'pi_1', attempt: 1, amount: payment.amount } },
      { type: 'OrderCancelled', data: { reason: 'expired', productId, quantity: 2 } },
      { type: 'RefundDue', data: { ...payment, reason: 'order_expired' } },
      { type: 'PaymentRefunded', data: { intent: 'pi_1', amount: payment.amount, refund: 're_1' } },
    ],
  ],
  [
    streamName('order', orderIdOf(3)),
    [
      { type: 'OrderPlaced', data: placement(3) },
      { type: 'PaymentRecorded', data: payment },
      { type: 'OrderShipped', data: { shippedAt: '2026-01-01T00:00:02.000Z' } },
      { type: 'ParcelRecorded', data: { shipment: 1, carrier: 'redx', trackingNumber: 'RX-1' } },
      { type: 'ShipmentWithdrawn', data: { shipment: 1, reason: 'damaged' } },
      { type: 'OrderShipped', data: { shippedAt: '2026-01-01T00:00:05.000Z' } },
    ],
  ],
  [
    streamName('user', customer),
    [
      {
        type: 'UserRegistered',
        data: { uid: 'u1', person: customer, personal: { email: personal.email, name: 'Rahim' } },
      },
      { type: 'ProfileChanged', data: { person: customer, personal: { phone: '0171', social: 'https://l.test/r' } } },
      { type: 'AdminGranted', data: {} },
      { type: 'AdminRevoked', data: {} },
    ],
  ],
  [
    streamName('user', closedUser),
    [
      {
        type: 'UserRegistered',
        data: { uid: 'u2', person: closedUser, personal: { email: 'karim@shop.test', name: 'Karim' } },
      },
      { type: 'ProfileChanged', data: { person: closedUser, personal: { address: 'Sylhet' } } },
      { type: 'AdminGranted', data: {} },
      { type: 'AccountClosed', data: { reason: 'released' } },
    ],
  ],
  [
    streamName('review', 'e'.repeat(32)),
    [
      {
        type: 'ReviewPosted',
        data: {
          name: 'Tower One',
          ratings: 4.6,
          description: 'Quiet.',
          person: customer,
          personal: { username: 'Rahim' },
        },
      },
    ],
  ],
];

/** Returns the events of a stream as they would be read from the log, with timestamps one second apart. */
function recorded(stream: StreamName, events: readonly DomainEvent[]): RecordedEvent[] {
  return events.map((event, index) => ({
    ...event,
    id: `${parseStreamName(stream).id}-${index}`,
    source: EVENT_SOURCE,
    subject: stream,
    time: new Date(Date.UTC(2026, 0, 1, 0, 0, index)).toISOString(),
    streamversion: index + 1,
    schemaversion: 1,
    cause: `test:${index}`,
    correlationid: 'test',
    actor: 'system:test',
  }));
}

/** The events of each sample stream, as they would be read from the log. */
export const STREAMS: ReadonlyMap<StreamName, RecordedEvent[]> = new Map(
  STREAM_EVENTS.map(([stream, events]) => [stream, recorded(stream, events)]),
);
