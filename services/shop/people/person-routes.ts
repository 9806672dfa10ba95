import pLimit from 'p-limit';
import { deletedSchema } from '../../contracts/answers.ts';
import type { RecordedEvent } from '../../contracts/events.ts';
import { type StreamName, streamName } from '../../contracts/ids.ts';
import type { OrderDocument } from '../../contracts/order/order-document.ts';
import { type PersonExport, personExportSchema } from '../../contracts/people/person-export.ts';
import type { UserDocument } from '../../contracts/people/user-document.ts';
import type { CommandMeta } from '../../engine/commands/command.ts';
import { foldStream } from '../../engine/log/fold-stream.ts';
import { deleted } from '../../http/answers.ts';
import type { ApiDependencies } from '../../http/dependencies.ts';
import { RequestRefused } from '../../http/problem-details.ts';
import { commandMeta, defineRoute, type Route } from '../../http/route.ts';
import { isoTime } from '../../runtime/clock.ts';
import { orderDecider } from '../order/decide-order.ts';
import { isNeverShipped, owesMoney } from '../order/decide-refund.ts';
import { orderTimeline } from '../order/order-timeline-flow.ts';
import { orderView } from '../order/order-view.ts';
import { reviewView } from '../review/review-view.ts';
import { closeAccount, completeAdminList, isOtherAdminListed } from './admin-roles-flow.ts';
import { ordersOf, reviewsOf } from './documents-of-person-flow.ts';
import { idsOfPerson } from './streams-of-person-flow.ts';
import { userTarget } from './user-routes.ts';
import { userView } from './user-view.ts';

/**
 * How many orders are read concurrently when a person's data is erased. Without this limit, erasing the data of a
 * person with a thousand orders would block other requests.
 */
const MAX_IN_FLIGHT = 16;

const exportPerson = defineRoute({
  method: 'GET',
  path: '/users/:email/export',
  summary: 'Exports everything stored about a person: profile, orders with their payments, reviews and events',
  access: 'owner-or-admin',
  target: userTarget,
  answer: { status: 200, schema: personExportSchema },
  async serve(shop, { document }) {
    const headers = { 'Content-Disposition': 'attachment; filename="micro-center-my-data.json"' };
    return { headers, body: await exportOf(shop, document) };
  },
});

async function exportOf(shop: ApiDependencies, user: UserDocument): Promise<PersonExport> {
  const { readModels, readYourWrites } = shop;
  await Promise.all([readYourWrites.caughtUp('order'), readYourWrites.caughtUp('review')]);
  const orders = await ordersOf(readModels, user.id);
  const reviews = await reviewsOf(readModels, user.id);
  const streams = [
    streamName('user', user.id),
    ...orders.map(({ id }) => streamName('order', id)),
    ...reviews.map(({ id }) => streamName('review', id)),
  ];
  const exported: PersonExport = {
    exportedAt: isoTime(shop.clock()),
    profile: userView(user),
    orders: [],
    reviews: reviews.map(reviewView),
    events: [],
  };
  // Reads one order at a time, so that exporting the data of a person with a thousand orders doesn't delay other
  // requests.
  for (const order of orders) exported.orders.push(await exportedOrder(shop, order));
  for (const stream of streams) await addEvents(shop, stream, exported.events);
  return exported;
}

async function exportedOrder(shop: ApiDependencies, order: OrderDocument): Promise<PersonExport['orders'][number]> {
  const timeline = await orderTimeline(shop, order.id);
  const payments = new Set(timeline.flatMap(({ transactionId }) => transactionId ?? []));
  return { order: orderView(order), payments: [...payments], timeline };
}

async function addEvents(shop: ApiDependencies, stream: StreamName, events: PersonExport['events']): Promise<void> {
  const add = (_: null, { type, time, subject, data }: RecordedEvent) => {
    events.push({ type, time, subject, data });
    return null;
  };
  await foldStream(shop, stream, { state: null, version: 0 }, add);
}

const erasePerson = defineRoute({
  method: 'DELETE',
  path: '/users/:email',
  summary:
    "Closes a person's account, cancels their unpaid orders and erases their personal data. Refused for the last admin, while a paid order is not shipped, and while money is on its way back",
  access: 'owner-or-admin',
  target: userTarget,
  answer: { status: 200, schema: deletedSchema },
  problems: ['order_on_its_way', 'refund_pending', 'last_admin'],
  async serve(shop, exchange) {
    const { document } = exchange;
    const meta = commandMeta(shop, exchange, 'erase');
    // closeAccount also refuses to close the last admin's account, but it runs after the orders have been cancelled.
    // This check comes first, so that no orders are cancelled if the account can't be closed.
    if (document.role === 'admin') {
      await completeAdminList(shop, document.id, meta);
      if (!(await isOtherAdminListed(shop.handler, document.id))) throw new RequestRefused('last_admin');
    }
    await endOrders(shop, document.id, commandMeta(shop, exchange, 'erase-cancel'));
    return deleted(await closeAccount(shop, document.id, { reason: 'erased' }, meta));
  },
});

/**
 * Cancels the customer's unpaid orders. Refuses while money is on its way back to the customer, or if any order is paid,
 * including one that was paid just before this function tried to cancel it. After a refusal, the account stays open,
 * because the shop needs the customer's name and address to ship the paid order. Between this call and the closing of
 * the account, an order may still be paid or a shipment withdrawn. In that case, the person's encryption key is kept
 * until the order is shipped (erase-person-flow.ts).
 * @throws RequestRefused 409
 */
async function endOrders(shop: ApiDependencies, userId: string, meta: CommandMeta): Promise<void> {
  const { handler } = shop;
  const unpaid: string[] = [];
  await pLimit(MAX_IN_FLIGHT).map(await idsOfPerson(shop.log, 'order', userId), async (id) => {
    const { state } = await handler.load(orderDecider, id);
    if (state.status === 'absent') return;
    if (state.status === 'paid' && !isNeverShipped(state)) throw new RequestRefused('order_on_its_way');
    if (owesMoney(state)) throw new RequestRefused('refund_pending');
    if (state.status === 'unpaid') unpaid.push(id);
  });
  for (const id of unpaid) {
    const outcome = await handler.execute(orderDecider, id, { type: 'CancelOrder' }, meta);
    if (outcome.kind === 'refused') throw new RequestRefused('order_on_its_way');
  }
}

export const personRoutes: readonly Route[] = [exportPerson, erasePerson];
