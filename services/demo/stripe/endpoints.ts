import type { z } from 'zod';
import { redacted } from './api-keys.ts';
import {
  listBalanceTransactions,
  listBalanceTransactionsParams,
  retrieveBalance,
  retrieveBalanceTransaction,
} from './balance-transactions.ts';
import { answerChallenge, challengeParams, confirmIntent } from './confirmation.ts';
import { closeDispute, listDisputes, listDisputesParams } from './disputes.ts';
import { invalidRequest } from './errors.ts';
import { listEvents, listEventsParams, retrieveEvent } from './events.ts';
import {
  cancelIntent,
  cancelIntentParams,
  confirmIntentParams,
  createIntent,
  createIntentParams,
  findIntent,
  retrieveIntentParams,
  updateIntent,
  updateIntentParams,
} from './intents.ts';
import { listParams, noParams, parseParams, text } from './params.ts';
import { createPaymentMethod, paymentMethodData } from './payment-methods.ts';
import { createRefund, createRefundParams, listRefunds, listRefundsParams } from './refunds.ts';
import { type Call, find, listPage, type Simulation } from './simulation.ts';
import type { Kind } from './store.ts';
import { listWebhookEndpoints } from './webhook-endpoints.ts';

export interface Endpoint {
  method: 'get' | 'post';
  path: string;
  /** `secret` requires the secret key; `browser` accepts the publishable key too */
  access: 'secret' | 'browser';
  /** what a restricted key needs, such as `refund_write` */
  permission: string;
  /**
   * Parses the parameters and returns the call's handler, which runs in a transaction if the call is a POST. Both the
   * parsing and the handler can throw a StripeFault.
   */
  prepare: (params: unknown) => (call: Call, id: string) => object;
}

const listChargesParams = listParams.extend({ payment_intent: text.optional() });

export const ENDPOINTS: Endpoint[] = [
  endpoint('post', '/v1/payment_intents', 'secret', createIntentParams, (call, params) => {
    const intent = createIntent(call, params);
    return params.confirm ? confirmIntent(call, {}, intent.id) : intent;
  }),
  endpoint('get', '/v1/payment_intents', 'secret', listParams, (call, page) => listPage(call, 'payment_intent', page)),
  endpoint('get', '/v1/payment_intents/:id', 'browser', retrieveIntentParams, (call, { client_secret }, id) =>
    findIntent(call, id, client_secret),
  ),
  endpoint('post', '/v1/payment_intents/:id', 'secret', updateIntentParams, updateIntent),
  endpoint('post', '/v1/payment_intents/:id/confirm', 'browser', confirmIntentParams, confirmIntent),
  endpoint('post', '/v1/payment_intents/:id/three_d_secure_challenge', 'browser', challengeParams, answerChallenge),
  endpoint('post', '/v1/payment_intents/:id/cancel', 'secret', cancelIntentParams, cancelIntent),
  endpoint('post', '/v1/payment_methods', 'browser', paymentMethodData, createPaymentMethod),
  retrieval('payment_method'),
  endpoint('get', '/v1/charges', 'secret', listChargesParams, (call, { payment_intent: parent, ...page }) =>
    listPage(call, 'charge', page, { parent }),
  ),
  retrieval('charge'),
  endpoint('post', '/v1/refunds', 'secret', createRefundParams, createRefund),
  endpoint('get', '/v1/refunds', 'secret', listRefundsParams, listRefunds),
  retrieval('refund'),
  endpoint('get', '/v1/disputes', 'secret', listDisputesParams, listDisputes),
  retrieval('dispute'),
  endpoint('post', '/v1/disputes/:id/close', 'secret', noParams, closeDispute),
  endpoint('get', '/v1/balance', 'secret', noParams, retrieveBalance),
  endpoint('get', '/v1/balance_transactions', 'secret', listBalanceTransactionsParams, listBalanceTransactions),
  endpoint('get', '/v1/balance_transactions/:id', 'secret', noParams, retrieveBalanceTransaction),
  endpoint('get', '/v1/webhook_endpoints', 'secret', listParams, listWebhookEndpoints),
  endpoint('get', '/v1/account', 'secret', noParams, ({ simulation: { faults } }) => ({
    id: faults.account,
    object: 'account',
  })),
  endpoint('get', '/v1/payouts', 'secret', listParams, (call, page) => listPage(call, 'payout', page)),
  retrieval('payout'),
  endpoint('get', '/v1/events', 'secret', listEventsParams, listEvents),
  endpoint('get', '/v1/events/:id', 'secret', noParams, retrieveEvent),
];

/** @throws StripeFault 403 if the secret key is restricted and lacks the endpoint's permission */
export function assertPermitted({ faults, settings }: Simulation, { permission }: Endpoint): void {
  if (!faults.lackedPermissions.includes(permission)) return;
  const message =
    `The provided key '${redacted(settings.secretKey)}' does not have the required permissions for this endpoint on account '${faults.account}'. ` +
    `Having the 'rak_${permission}' permission would allow this request to continue.`;
  throw invalidRequest(message, {}, 403);
}

function retrieval(kind: Kind): Endpoint {
  return endpoint('get', `/v1/${kind}s/:id`, 'secret', noParams, (call, _params, id) => find(call, kind, id));
}

function endpoint<S extends z.ZodType>(
  method: Endpoint['method'],
  path: string,
  access: Endpoint['access'],
  schema: S,
  work: (call: Call, params: z.output<S>, id: string) => object,
): Endpoint {
  const prepare: Endpoint['prepare'] = (given) => {
    const params = parseParams(schema, given);
    return (call, id) => work(call, params, id);
  };
  const [resource = ''] = path.split('/').slice(2);
  const permission = `${resource.replace(/s$/, '')}_${method === 'get' ? 'read' : 'write'}`;
  return { method, path, access, permission, prepare };
}
