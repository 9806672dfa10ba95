import { type Updated, updatedSchema } from '@micro-center/services/contracts/answers.ts';
import type { Carrier } from '@micro-center/services/contracts/carriers.ts';
import type { Shipping, Withdrawal } from '@micro-center/services/contracts/http.ts';
import { shopApi } from '../../api/shop-api.ts';
import { refetchUnlessLive } from '../../live/after-command.ts';

interface Parcel {
  carrier: Carrier;
  trackingNumber: string;
}

const pathOf = (id: string) => `/orders/${encodeURIComponent(id)}`;

const orderDrawerApi = shopApi.injectEndpoints({
  endpoints: (build) => ({
    /** Marks a paid order as shipped, if it is still as it was seen; with its carrier and number where they are known. */
    deliverOrder: build.mutation<Updated, { id: string } & Shipping>({
      query: ({ id, ...shipping }) => ({ path: pathOf(id), method: 'PUT', body: shipping }),
      responseSchema: updatedSchema,
      onQueryStarted: refetchUnlessLive('order'),
    }),
    /** Says who carries a shipped order, and under which number; the last one counts. */
    recordParcel: build.mutation<Updated, { id: string } & Parcel>({
      query: ({ id, ...parcel }) => ({ path: `${pathOf(id)}/parcel`, method: 'PUT', body: parcel }),
      responseSchema: updatedSchema,
      onQueryStarted: refetchUnlessLive('order'),
    }),
    /** Takes a shipment back: within 30 seconds without a reason, within 15 minutes with one. */
    takeShipmentBack: build.mutation<Updated, { id: string } & Withdrawal>({
      query: ({ id, ...withdrawal }) => ({ path: `${pathOf(id)}/withdrawal`, method: 'POST', body: withdrawal }),
      responseSchema: updatedSchema,
      onQueryStarted: refetchUnlessLive('order'),
    }),
  }),
});

export const { useDeliverOrderMutation, useRecordParcelMutation, useTakeShipmentBackMutation } = orderDrawerApi;
