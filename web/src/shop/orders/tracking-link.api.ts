import {
  type Deleted,
  deletedSchema,
  type TrackingLink,
  trackingLinkSchema,
} from '@micro-center/services/contracts/answers.ts';
import { shopApi } from '../../api/shop-api.ts';
import { liveAnswer } from '../../live/live-document.ts';

const linkPath = (orderId: string) => `/orders/${encodeURIComponent(orderId)}/tracking`;

/** The token of an order's tracking link; null while it is not shared. */
export const trackingLinkOf = (orderId: string) =>
  liveAnswer('order', linkPath(orderId), trackingLinkSchema, ({ id }) => id === orderId);

const trackingLinkApi = shopApi.injectEndpoints({
  endpoints: (build) => ({
    shareTracking: build.mutation<TrackingLink, string>({
      query: (orderId) => ({ path: linkPath(orderId), method: 'POST' }),
      responseSchema: trackingLinkSchema,
    }),
    withdrawTracking: build.mutation<Deleted, string>({
      query: (orderId) => ({ path: linkPath(orderId), method: 'DELETE' }),
      responseSchema: deletedSchema,
    }),
  }),
});

export const { useShareTrackingMutation, useWithdrawTrackingMutation } = trackingLinkApi;
