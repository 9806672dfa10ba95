import type { Route } from './route.ts';
import { boardRoutes } from './routes/board.ts';
import { ledgerRoutes } from './routes/ledger.ts';
import { metaRoutes } from './routes/meta.ts';
import { orderRoutes } from './routes/orders.ts';
import { packingRoutes } from './routes/packing.ts';
import { paymentRoutes } from './routes/payments.ts';
import { personRoutes } from './routes/person.ts';
import { productRoutes } from './routes/products.ts';
import { promiseRoutes } from './routes/promise.ts';
import { refundRoutes } from './routes/refunds.ts';
import { reviewRoutes } from './routes/reviews.ts';
import { shipmentRoutes } from './routes/shipments.ts';
import { trackingRoutes } from './routes/tracking.ts';
import { userRoutes } from './routes/users.ts';

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
