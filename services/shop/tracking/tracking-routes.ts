import { deletedSchema } from '../../contracts/answers.ts';
import { trackingLinkSchema } from '../../contracts/tracking/tracking-answers.ts';
import { trackingViewSchema } from '../../contracts/tracking/tracking-view.ts';
import { deleted, doneOrRefused } from '../../http/answers.ts';
import { RequestRefused } from '../../http/problem-details.ts';
import { commandMeta, defineRoute, type Route } from '../../http/route.ts';
import { countChange } from '../order/count-change-flow.ts';
import { orderDecider } from '../order/decide-order.ts';
import { orderTarget } from '../order/order-routes.ts';
import type { TrackingLinks } from './tracked-order-flow.ts';

declare module '../../http/dependencies.ts' {
  interface ApiDependencies {
    readonly trackingLinks: TrackingLinks;
  }
}

/** The token is sent in a header, so that it never appears in an API URL (TRACK3). */
const TOKEN_HEADER = {
  name: 'X-Tracking-Token',
  description: 'The part of a tracking link after `/track/`.',
} as const;

const getTracked = defineRoute({
  method: 'GET',
  path: '/tracking',
  summary: 'Returns the order of a tracking link, without data about its customer and payment',
  access: 'public',
  header: TOKEN_HEADER,
  answer: { status: 200, schema: trackingViewSchema },
  problems: ['not_found'],
  async serve(shop, { header: token = '' }) {
    const tracked = await shop.trackingLinks.open(token);
    if (tracked === null) throw new RequestRefused('not_found');
    return { body: tracked.view, headers: { 'Cache-Control': 'no-store' } };
  },
});

const getLink = defineRoute({
  method: 'GET',
  path: '/orders/:id/tracking',
  summary: "Returns the token of an order's tracking link, or null if the order is not shared or its link has expired",
  access: 'owner-or-admin',
  target: orderTarget,
  answer: { status: 200, schema: trackingLinkSchema },
  serve: async (shop, { document }) => ({ body: { token: shop.trackingLinks.tokenOf(document) } }),
});

const shareLink = defineRoute({
  method: 'POST',
  path: '/orders/:id/tracking',
  summary:
    "Creates a tracking link for an order and returns the link's token. If the order is already shared, returns its current token",
  access: 'owner-or-admin',
  target: orderTarget,
  answer: { status: 200, schema: trackingLinkSchema },
  problems: ['changes_too_fast'],
  async serve(shop, exchange) {
    const { document: order } = exchange;
    if (!shop.trackingLinks.mayShow(order)) throw new RequestRefused('not_found');
    if (!order.tracking?.shared) await countChange(shop, exchange);
    const meta = commandMeta(shop, exchange, 'share-tracking');
    const { state } = doneOrRefused(
      await shop.handler.execute(orderDecider, order.id, { type: 'ShareTracking' }, meta),
    );
    if (state.status === 'absent') throw new RequestRefused('not_found');
    return { body: { token: shop.trackingLinks.tokenOf({ ...order, tracking: state.tracking }) } };
  },
});

const withdrawLink = defineRoute({
  method: 'DELETE',
  path: '/orders/:id/tracking',
  summary: "Withdraws an order's tracking link. Sharing the order again creates a new link",
  access: 'owner-or-admin',
  target: orderTarget,
  answer: { status: 200, schema: deletedSchema },
  problems: ['changes_too_fast'],
  async serve(shop, exchange) {
    if (exchange.document.tracking?.shared) await countChange(shop, exchange);
    const meta = commandMeta(shop, exchange, 'withdraw-tracking');
    return deleted(await shop.handler.execute(orderDecider, exchange.params.id, { type: 'WithdrawTracking' }, meta));
  },
});

export const trackingRoutes: readonly Route[] = [getTracked, getLink, shareLink, withdrawLink];
