import { metaRoutes } from '../http/meta-routes.ts';
import type { Route } from '../http/route.ts';
import { ledgerRoutes } from '../shop/ledger/ledger-routes.ts';
import { boardRoutes } from '../shop/order/board-routes.ts';
import { orderRoutes } from '../shop/order/order-routes.ts';
import { promiseRoutes } from '../shop/order/promise-routes.ts';
import { shipmentRoutes } from '../shop/order/shipment-routes.ts';
import { packingRoutes } from '../shop/packing/packing-routes.ts';
import { paymentRoutes } from '../shop/payment/payment-routes.ts';
import { refundRoutes } from '../shop/payment/refund-routes.ts';
import { personRoutes } from '../shop/people/person-routes.ts';
import { userRoutes } from '../shop/people/user-routes.ts';
import { productRoutes } from '../shop/product/product-routes.ts';
import { reviewRoutes } from '../shop/review/review-routes.ts';
import { trackingRoutes } from '../shop/tracking/tracking-routes.ts';

const shopRoutes: readonly Route[] = [
  ...userRoutes,
  ...personRoutes,
  ...productRoutes,
  ...orderRoutes,
  ...boardRoutes,
  ...ledgerRoutes,
  ...refundRoutes,
  ...shipmentRoutes,
  ...packingRoutes,
  ...trackingRoutes,
  ...paymentRoutes,
  ...promiseRoutes,
  ...reviewRoutes,
];

/** Every route of the API, with the access level that it requires (AUTH3). */
export const ROUTES: readonly Route[] = [...shopRoutes, ...metaRoutes(() => ROUTES)];
