import pLimit from 'p-limit';
import { updatedSchema } from '../../contracts/answers.ts';
import {
  type RefusedOutcome,
  type ShipmentOutcome,
  shipmentOutcomesSchema,
  type WithdrawalOutcome,
  withdrawalOutcomesSchema,
} from '../../contracts/order/order-answers.ts';
import {
  newShipmentsSchema,
  newWithdrawalsSchema,
  parcelSchema,
  type Shipping,
  shippingSchema,
  type Withdrawal,
  withdrawalSchema,
} from '../../contracts/order/order-requests.ts';
import { PROBLEMS } from '../../contracts/problems.ts';
import type { Refusal } from '../../contracts/refusals.ts';
import type { CommandMeta, Outcome } from '../../engine/commands/command.ts';
import { updated } from '../../http/answers.ts';
import type { ApiDependencies } from '../../http/dependencies.ts';
import { problemCodeOf } from '../../http/problem-details.ts';
import { commandMeta, defineRoute, type Route } from '../../http/route.ts';
import { orderDecider } from './decide-order.ts';
import { shipmentAt } from './fold-order-flow.ts';
import type { OrderState } from './order.ts';
import { orderTarget } from './order-routes.ts';
import { timelineForAdmins } from './order-timeline-flow.ts';
import { shipmentsOf } from './project-order.ts';

/** How many orders one request handles concurrently. The limit keeps a request for 200 orders from blocking other requests. */
const MAX_IN_FLIGHT = 16;

const shipOrder = defineRoute({
  method: 'PUT',
  path: '/orders/:id',
  summary:
    'Marks a paid order as shipped. The body can contain the version that the admin saw, and a carrier with a tracking number',
  access: 'admin',
  body: shippingSchema.optional(),
  target: orderTarget,
  answer: { status: 200, schema: updatedSchema },
  problems: ['order_not_paid', 'order_cancelled', 'order_changed', 'order_refunded', 'order_disputed', 'order_erased'],
  async serve(shop, exchange) {
    const meta = commandMeta(shop, exchange, 'ship');
    const command = { type: 'ShipOrder', now: meta.time, ...shippingOf(exchange.body ?? {}) } as const;
    return updated(await shop.handler.execute(orderDecider, exchange.params.id, command, meta));
  },
});

function shippingOf({ version, carrier, trackingNumber }: Shipping) {
  return {
    ...(version !== undefined && { seen: version }),
    ...(carrier !== undefined && trackingNumber !== undefined && { parcel: { carrier, trackingNumber } }),
  };
}

/**
 * Ships orders concurrently, each only if its version is still the one that the admin saw (ORD10). If a store becomes
 * unavailable, the whole request fails with 503, even though some orders may have been shipped. Retrying with the same
 * key ships the remaining orders (CMD7).
 */
const shipOrders = defineRoute({
  method: 'POST',
  path: '/shipments',
  summary: 'Ships up to 200 orders, each at the version that the admin saw. Returns their outcomes in request order',
  access: 'admin',
  body: newShipmentsSchema,
  answer: { status: 200, schema: shipmentOutcomesSchema },
  idempotent: true,
  async serve(shop, exchange) {
    const meta = commandMeta(shop, exchange, 'ship', exchange.creationId());
    return { body: await pLimit(MAX_IN_FLIGHT).map(exchange.body.orders, (order) => shipSeen(shop, order, meta)) };
  },
});

async function shipSeen(
  shop: ApiDependencies,
  { id, version: seen }: { readonly id: string; readonly version: number },
  meta: CommandMeta,
): Promise<ShipmentOutcome> {
  const command = { type: 'ShipOrder', now: meta.time, seen } as const;
  const outcome = await shop.handler.execute(orderDecider, id, command, meta);
  if (outcome.kind === 'refused') return refused(id, outcome.refusal);
  const { state, version, events, prior } = outcome;
  if (state.status === 'absent') throw new Error('An order that does not exist was shipped.');
  if (events.length > 0) return { id, outcome: 'shipped', version, shipment: shipmentsOf(state) };
  const [first] = prior;
  if (first) {
    if (first.streamversion !== seen + 1) return refused(id, { code: 'idempotency_key_reused' });
    return {
      id,
      outcome: 'shipped',
      version: first.streamversion,
      shipment: await shipmentAt(shop, id, first.streamversion),
    };
  }
  return alreadyShipped(shop, { id, customer: state.customer, version });
}

function refused(id: string, refusal: Refusal): RefusedOutcome {
  const code = problemCodeOf(refusal.code);
  const { title } = PROBLEMS[code];
  return { id, outcome: 'refused', code, title, ...(refusal.code === 'order_changed' && { version: refusal.version }) };
}

async function alreadyShipped(
  shop: ApiDependencies,
  { version, ...order }: { readonly id: string; readonly customer: string; readonly version: number },
): Promise<ShipmentOutcome> {
  const timeline = await timelineForAdmins(shop, order);
  const shipped = timeline.findLast((entry) => entry.type === 'shipped' && entry.version <= version);
  if (!shipped) throw new Error('The timeline of a shipped order has no shipment.');
  return { id: order.id, outcome: 'already_shipped', by: shipped.by ?? '', at: shipped.at, version };
}

const withdrawShipment = defineRoute({
  method: 'POST',
  path: '/orders/:id/withdrawal',
  summary: 'Withdraws a shipment within 15 minutes. After the first 30 seconds, a reason is required',
  access: 'admin',
  body: withdrawalSchema,
  target: orderTarget,
  answer: { status: 200, schema: updatedSchema },
  idempotent: true,
  problems: ['order_not_shipped', 'shipment_final', 'reason_required'],
  async serve(shop, exchange) {
    const { params, body } = exchange;
    const meta = commandMeta(shop, exchange, 'withdraw', exchange.creationId());
    return updated(await withdraw(shop, { ...params, ...body }, meta));
  },
});

/**
 * Withdraws shipments concurrently. If a store becomes unavailable, the whole request fails with 503, even though some
 * shipments may have been withdrawn. Retrying with the same key withdraws the remaining shipments (CMD7).
 */
const withdrawShipments = defineRoute({
  method: 'POST',
  path: '/withdrawals',
  summary: 'Withdraws up to 200 shipments by the rules for a single shipment. Returns their outcomes in request order',
  access: 'admin',
  body: newWithdrawalsSchema,
  answer: { status: 200, schema: withdrawalOutcomesSchema },
  idempotent: true,
  async serve(shop, exchange) {
    const meta = commandMeta(shop, exchange, 'withdraw', exchange.creationId());
    const { orders } = exchange.body;
    return { body: await pLimit(MAX_IN_FLIGHT).map(orders, (order) => withdrawalOutcome(shop, order, meta)) };
  },
});

async function withdrawalOutcome(
  shop: ApiDependencies,
  order: Withdrawal & { readonly id: string },
  meta: CommandMeta,
): Promise<WithdrawalOutcome> {
  const { id } = order;
  const outcome = await withdraw(shop, order, meta);
  if (outcome.kind === 'refused') return refused(id, outcome.refusal);
  const [first] = [...outcome.prior, ...outcome.events];
  return { id, outcome: 'withdrawn', version: first?.streamversion ?? outcome.version };
}

async function withdraw(
  { handler, accounts }: ApiDependencies,
  { id, shipment, reason }: Withdrawal & { readonly id: string },
  meta: CommandMeta,
): Promise<Outcome<OrderState>> {
  const { state: order } = await handler.load(orderDecider, id);
  // A shipment can't be withdrawn once the customer's account is closed for erasure (ORD11). If the account is closed
  // right after this check, the withdrawal and the erasure both append to the order's stream, and whichever appends
  // second is refused.
  if (order.status !== 'absent' && (await accounts.isClosedForErasure(order.customer))) {
    return { kind: 'refused', refusal: { code: 'shipment_final', orderId: id } };
  }
  const command = { type: 'WithdrawShipment', shipment, reason: reason ?? null, now: meta.time } as const;
  return handler.execute(orderDecider, id, command, meta);
}

const recordParcel = defineRoute({
  method: 'PUT',
  path: '/orders/:id/parcel',
  summary: 'Records the carrier and the tracking number of a shipped order',
  access: 'admin',
  body: parcelSchema,
  target: orderTarget,
  answer: { status: 200, schema: updatedSchema },
  problems: ['order_not_shipped'],
  async serve(shop, exchange) {
    const { params, body: parcel } = exchange;
    const meta = commandMeta(shop, exchange, 'parcel');
    return updated(await shop.handler.execute(orderDecider, params.id, { type: 'RecordParcel', parcel }, meta));
  },
});

export const shipmentRoutes: readonly Route[] = [
  shipOrder,
  shipOrders,
  withdrawShipment,
  withdrawShipments,
  recordParcel,
];
