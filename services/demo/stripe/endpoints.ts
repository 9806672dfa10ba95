import type { z } from 'zod';
import { answerChallenge, challengeParams, confirmIntent } from './confirmation.ts';
import { listEvents, listEventsParams, retrieveEvent } from './events.ts';
import {
  cancelIntent,
  cancelIntentParams,
  confirmIntentParams,
  createIntent,
  createIntentParams,
  listIntents,
  retrieveIntent,
  retrieveIntentParams,
  updateIntent,
  updateIntentParams,
} from './intents.ts';
import { listParams, noParams, parseParams } from './params.ts';
import { createPaymentMethod, paymentMethodData, retrievePaymentMethod } from './payment-methods.ts';
import {
  createRefund,
  createRefundParams,
  findCharge,
  listRefunds,
  listRefundsParams,
  retrieveRefund,
} from './refunds.ts';
import type { Call } from './simulation.ts';

export interface Endpoint {
  method: 'GET' | 'POST';
  path: string;
  /** `secret` needs the secret key, `browser` takes the publishable key as well */
  access: 'secret' | 'browser';
  /** Parses the parameters and returns the work, for a transaction; both throw StripeFault. */
  prepare: (params: unknown) => (call: Call, id: string) => object;
}

export const ENDPOINTS: Endpoint[] = [
  endpoint('POST', '/v1/payment_intents', 'secret', createIntentParams, (call, _id, params) => {
    const intent = createIntent(call, params);
    return params.confirm ? confirmIntent(call, intent.id, {}) : intent;
  }),
  endpoint('GET', '/v1/payment_intents', 'secret', listParams, (call, _id, params) => listIntents(call, params)),
  endpoint('GET', '/v1/payment_intents/:id', 'browser', retrieveIntentParams, retrieveIntent),
  endpoint('POST', '/v1/payment_intents/:id', 'secret', updateIntentParams, updateIntent),
  endpoint('POST', '/v1/payment_intents/:id/confirm', 'browser', confirmIntentParams, confirmIntent),
  endpoint('POST', '/v1/payment_intents/:id/three_d_secure_challenge', 'browser', challengeParams, answerChallenge),
  endpoint('POST', '/v1/payment_intents/:id/cancel', 'secret', cancelIntentParams, cancelIntent),
  endpoint('POST', '/v1/payment_methods', 'browser', paymentMethodData, (call, _id, params) =>
    createPaymentMethod(call, params),
  ),
  endpoint('GET', '/v1/payment_methods/:id', 'secret', noParams, retrievePaymentMethod),
  endpoint('GET', '/v1/charges/:id', 'secret', noParams, (call, id) => findCharge(call, id)),
  endpoint('POST', '/v1/refunds', 'secret', createRefundParams, (call, _id, params) => createRefund(call, params)),
  endpoint('GET', '/v1/refunds', 'secret', listRefundsParams, (call, _id, params) => listRefunds(call, params)),
  endpoint('GET', '/v1/refunds/:id', 'secret', noParams, retrieveRefund),
  endpoint('GET', '/v1/events', 'secret', listEventsParams, (call, _id, params) => listEvents(call, params)),
  endpoint('GET', '/v1/events/:id', 'secret', noParams, retrieveEvent),
];

function endpoint<S extends z.ZodType>(
  method: Endpoint['method'],
  path: string,
  access: Endpoint['access'],
  schema: S,
  work: (call: Call, id: string, params: z.output<S>) => object,
): Endpoint {
  const prepare: Endpoint['prepare'] = (given) => {
    const params = parseParams(schema, given);
    return (call, id) => work(call, id, params);
  };
  return { method, path, access, prepare };
}
