import { ERASED, type RecordedEvent } from '../../contracts/events.ts';
import { parseStreamName, type StreamName, streamName } from '../../contracts/ids.ts';
import type { OrderDocument } from '../../contracts/order/order-document.ts';
import {
  applyMoney,
  type ExpectedMoney,
  isAllGivenBack,
  isLost,
  isTaken,
  noMoney,
  problemOfGrant,
} from './order-money.ts';

type Events = readonly RecordedEvent[];

/**
 * What an order's document has to say, told from the order's events alone. This is written without the shop's decider
 * and projection, so that a bug in them shows.
 */
export interface ExpectedOrder {
  status: OrderDocument['status'];
  placed: boolean;
  shipments: number;
  parcel: string | null;
  erased: boolean;
  money: ExpectedMoney;
}

export const newOrder = (): ExpectedOrder => ({
  status: 'unpaid',
  placed: false,
  shipments: 0,
  parcel: null,
  erased: false,
  money: noMoney(),
});

/** Returns one sentence for each event that its order's state doesn't allow, and each wrong field of the document. */
export function checkOrder(stream: string, events: Events, document: OrderDocument | null): string[] {
  const found: string[] = [];
  const order = newOrder();
  for (const event of events) {
    const wrong = problemOf(order, event);
    if (wrong !== null) found.push(`${stream} v${event.streamversion}: ${wrong}`);
    apply(order, event);
  }
  if (document)
    found.push(...wrongFields(order, document).map((field) => `the document of ${stream} has a wrong ${field}`));
  return found;
}

/** Returns why the event isn't allowed, or null if it is. */
function problemOf(order: ExpectedOrder, event: RecordedEvent): string | null {
  const must = (allowed: boolean, sentence: string) => (allowed ? null : sentence);
  switch (event.type) {
    case 'OrderPlaced':
      return must(!order.placed, 'ORD1 it was placed twice');
    case 'PaymentStarted':
      return must(order.status === 'unpaid', 'PAY2 a payment was started for an order that is not unpaid');
    case 'PaymentRecorded':
      return must(order.status === 'unpaid', 'PAY4 a payment was accepted for an order that is not unpaid');
    case 'OrderShipped':
      if (isAllGivenBack(order.money) || isTaken(order.money))
        return 'ORD14 an order whose money went back was shipped';
      return must(order.status === 'paid' && !order.erased, 'ORD4 an order that is not paid was shipped');
    case 'ShipmentWithdrawn':
      return must(
        order.status === 'shipped' && event.data.shipment === order.shipments && !order.erased,
        'ORD11 a shipment was withdrawn that is not the current one',
      );
    case 'OrderCancelled':
      return must(
        order.status === 'unpaid' || isEnded(order, event),
        `ORD4 it was cancelled while it was ${order.status}`,
      );
    case 'RefundGranted':
      return problemOfGrant(order.money, event.data);
    case 'DeliveryChanged':
      return must(order.status === 'unpaid' || order.status === 'paid', 'ORD9 an address changed after shipping');
    case 'ParcelRecorded':
      return must(
        order.status === 'shipped' && event.data.shipment === order.shipments,
        'ORD12 a parcel was recorded that is not of the current shipment',
      );
    default:
      return null;
  }
}

/** An admin may cancel a paid order that isn't shipped, once its money went back or is lost, or its address is erased. */
const isEnded = (
  { status, money, erased }: ExpectedOrder,
  { data: { reason } }: RecordedEvent & { type: 'OrderCancelled' },
) => status === 'paid' && reason === 'admin' && (isAllGivenBack(money) || isLost(money) || erased);

export function apply(order: ExpectedOrder, event: RecordedEvent): void {
  applyMoney(order.money, event);
  switch (event.type) {
    case 'OrderPlaced':
      order.placed = true;
      return;
    case 'PaymentRecorded':
      order.status = 'paid';
      return;
    case 'OrderShipped':
      Object.assign(order, { status: 'shipped', shipments: order.shipments + 1, parcel: null });
      return;
    case 'ShipmentWithdrawn':
      Object.assign(order, { status: 'paid', parcel: null });
      return;
    case 'ParcelRecorded':
      order.parcel = event.data.trackingNumber;
      return;
    case 'OrderCancelled':
      order.status = 'cancelled';
      return;
    case 'PersonalDataErased':
      order.erased = true;
      return;
    default:
      return;
  }
}

function wrongFields(order: ExpectedOrder, document: OrderDocument): string[] {
  const { name, email, phone, address } = document;
  const personal = { name, email, phone, address };
  const checks: Readonly<Record<string, boolean>> = {
    status: document.status === order.status,
    payment: document.transactionId === (order.money.intent ?? ''),
    'tracking number': (document.parcel?.trackingNumber ?? null) === order.parcel,
    'time of shipping': (document.shippedAt !== null) === (order.status === 'shipped'),
    'time of payment': (document.paidAt !== null) === (order.money.intent !== null),
    ...Object.fromEntries(
      Object.entries(personal).map(([field, value]) => [
        `${field} of its customer`,
        (value === ERASED) === order.erased,
      ]),
    ),
  };
  return Object.entries(checks).flatMap(([field, right]) => (right ? [] : [field]));
}

/**
 * Returns one sentence for each order with an event whose e-mail was never claimed. Each event's policies run until they
 * succeed (FEED2), and one of them claims the e-mail, even if the e-mail then turns out to be outdated.
 */
export function unclaimedMails(streams: ReadonlyMap<StreamName, Events>): string[] {
  return [...streams].flatMap(([stream, events]) => {
    const { kind, id } = parseStreamName(stream);
    if (kind !== 'order') return [];
    const claims = streams.get(streamName('mail', id)) ?? [];
    const claimed = new Set(claims.flatMap((event) => (event.type === 'MailClaimed' ? [event.data.mail] : [])));
    const missing = mailsOf(events).filter((mail) => !claimed.has(mail));
    return missing.length === 0 ? [] : [`FEED2 ${stream} has no e-mail '${missing[0]}'`];
  });
}

/** Returns the name of the e-mail about a shipment. The first shipment's e-mail has no number. */
export const shipmentMail = (shipment: number): string => (shipment === 1 ? 'shipped' : `shipped.${shipment}`);

function mailsOf(events: Events): string[] {
  let shipments = 0;
  return events.flatMap((event) => {
    switch (event.type) {
      case 'OrderPlaced':
        return ['placed'];
      case 'PaymentRecorded':
        return ['paid'];
      case 'OrderShipped':
        shipments += 1;
        return [shipmentMail(shipments)];
      case 'OrderCancelled':
        return [event.data.reason === 'expired' ? 'expired' : 'cancelled'];
      case 'PaymentRefunded':
        return [`refunded.${event.data.intent}`];
      case 'RefundReported':
        return event.data.status === 'succeeded' ? [`refunded.${event.data.refund}`] : [];
      default:
        return [];
    }
  });
}
