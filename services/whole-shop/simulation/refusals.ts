import type { RecordedEvent } from '../../contracts/events.ts';
import { type StreamName, streamName } from '../../contracts/ids.ts';
import { isAllGivenBack, isBarred, isTaken } from './order-money.ts';
import { apply, type ExpectedOrder, newOrder } from './order-rules.ts';
import type { ApiAnswer } from './simulated-api.ts';

type Events = readonly RecordedEvent[];
/** Returns a stream's events as they are in the log at the moment. Their personal data is sealed. */
export type EventsOf = (stream: StreamName) => Events;

type Asked = Readonly<Record<string, unknown>>;

/** Whether a refusal is right, given the order at one version and the body of the request. */
const REASONS: Readonly<Record<string, (order: ExpectedOrder, asked: Asked, version: number) => boolean>> = {
  order_not_paid: ({ status }) => status === 'unpaid',
  order_paid: ({ status }) => status === 'paid' || status === 'shipped',
  order_cancelled: ({ status }) => status === 'cancelled',
  order_shipped: ({ status }) => status === 'shipped',
  order_refunded: ({ money }) => isAllGivenBack(money),
  order_disputed: ({ money }) => isTaken(money) || isBarred(money),
  order_not_shipped: ({ status, shipments }, { shipment = shipments }) =>
    status !== 'shipped' || shipments !== shipment,
  order_changed: (_, asked, version) => version !== asked.version,
};

/**
 * Checks that an order's refusals are not based on a state that the order no longer had when the request was sent
 * (CMD2). Each refusal has to be right for the order at some moment between the request and its response.
 */
export function expectRefusals(
  body: Asked,
  idInUrl: string | undefined,
  eventsOf: EventsOf,
): { sent(): void; answered(answer: ApiAnswer): string[] } {
  const heads = new Map<string, number>();
  const eventsOfOrder = (id: string) => eventsOf(streamName('order', id));
  const id = idInUrl ?? (typeof body.orderId === 'string' ? body.orderId : undefined);
  const rows = Array.isArray(body.orders) ? (body.orders as (Asked & { readonly id: string })[]) : [];
  const asked: readonly (Asked & { readonly id: string })[] = id === undefined ? rows : [{ ...body, id }];

  return {
    sent() {
      for (const one of asked) heads.set(one.id, eventsOfOrder(one.id).length);
    },
    answered({ code, body: told }) {
      return asked.flatMap((one, index) => {
        const row = Array.isArray(told) ? (told[index] as { readonly code?: string } | undefined) : undefined;
        const reason = row?.code ?? code;
        if (!reason || isRight(reason, one, eventsOfOrder(one.id), heads.get(one.id) ?? 0)) return [];
        return [`CMD2 order ${one.id} was refused with ${reason} because of a state from before the request`];
      });
    },
  };
}

/** Returns whether a refusal is right for the order at one of the versions from `head` on. */
function isRight(code: string, asked: Asked, events: Events, head: number): boolean {
  const reason = REASONS[code];
  if (!reason) return true;
  const order = newOrder();
  for (const event of events.slice(0, head)) apply(order, event);
  for (const event of events.slice(head)) {
    if (reason(order, asked, event.streamversion - 1)) return true;
    apply(order, event);
  }
  return reason(order, asked, events.length);
}
