import { type OrderView, orderViewSchema } from './order/order-view.ts';
import { type UserView, userViewSchema } from './people/user-view.ts';
import { type ProductView, productViewSchema } from './product/product-view.ts';
import { type ReviewView, reviewViewSchema } from './review/review-view.ts';
import { type TrackingView, trackingViewSchema } from './tracking/tracking-view.ts';

export const viewSchemas = {
  order: orderViewSchema,
  product: productViewSchema,
  user: userViewSchema,
  review: reviewViewSchema,
  tracking: trackingViewSchema,
} as const;
export type ViewKind = keyof typeof viewSchemas;
export type Views = {
  order: OrderView;
  product: ProductView;
  user: UserView;
  review: ReviewView;
  tracking: TrackingView;
};
