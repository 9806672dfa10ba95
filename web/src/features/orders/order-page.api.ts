import {
  promiseSchema,
  type ShippingPromise,
  type Updated,
  updatedSchema,
} from '@micro-center/services/contracts/answers.ts';
import type { DeliveryChanges } from '@micro-center/services/contracts/http.ts';
import { shopApi } from '../../api/shop-api.ts';
import { refetchUnlessLive } from '../../live/after-command.ts';

const orderPageApi = shopApi.injectEndpoints({
  endpoints: (build) => ({
    /** How many of this month's orders were shipped within a day; null while there are too few to say. */
    getPromise: build.query<ShippingPromise | null, void>({ query: () => '/promise', responseSchema: promiseSchema }),
    /** Corrects phone and address of an order that is not shipped yet. */
    changeDelivery: build.mutation<Updated, { orderId: string; changes: DeliveryChanges }>({
      query: ({ orderId, changes }) => ({
        path: `/orders/${encodeURIComponent(orderId)}/delivery`,
        method: 'PUT',
        body: changes,
      }),
      responseSchema: updatedSchema,
      onQueryStarted: refetchUnlessLive('order'),
    }),
  }),
});

export const { useGetPromiseQuery, useChangeDeliveryMutation } = orderPageApi;
