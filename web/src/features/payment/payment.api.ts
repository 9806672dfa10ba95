import { type Updated, updatedSchema } from '@micro-center/services/contracts/answers.ts';
import {
  type PaymentIntentAnswer,
  paymentIntentAnswerSchema,
} from '@micro-center/services/contracts/payment/payment-answers.ts';
import type { NewPaymentIntent, PaymentReport } from '@micro-center/services/contracts/payment/payment-requests.ts';
import { shopApi } from '../../api/shop-api.ts';
import { refetchUnlessLive } from '../../live/after-command.ts';

const paymentApi = shopApi.injectEndpoints({
  endpoints: (build) => ({
    /** Creates a payment intent for the order, or reuses the open one, and returns its client secret. `totalPrice` is in whole taka. */
    createPaymentIntent: build.mutation<PaymentIntentAnswer, NewPaymentIntent>({
      query: (body) => ({ path: '/create-payment-intent', method: 'POST', body }),
      responseSchema: paymentIntentAnswerSchema,
    }),
    /** Tells the shop that a payment intent has succeeded. The shop then verifies this with Stripe. */
    recordPayment: build.mutation<Updated, { order: string; transactionId: string }>({
      query: ({ order, transactionId }) => ({
        path: `/orders/${encodeURIComponent(order)}`,
        method: 'PATCH',
        body: { order, transactionId } satisfies PaymentReport,
      }),
      responseSchema: updatedSchema,
      onQueryStarted: refetchUnlessLive('order'),
    }),
  }),
});

export const { useCreatePaymentIntentMutation, useRecordPaymentMutation } = paymentApi;
