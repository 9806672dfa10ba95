import { setTimeout as wait } from 'node:timers/promises';
import express, { type Router } from 'express';
import { z } from 'zod';
import { credentialOf } from './api-keys.ts';
import { bookFee, bookTopup } from './balance-transactions.ts';
import { failCharge, finishPayment } from './confirmation.ts';
import { disputeDecisionSchema, disputeParams } from './dispute-params.ts';
import { decideDispute, openDispute } from './disputes.ts';
import { faultsSchema, refundStatusSchema } from './faults.ts';
import { forgetPayers } from './forget-payers.ts';
import { parseParams } from './params.ts';
import { listPayments, listPaymentsParams } from './payments.ts';
import { failPayout, payOut } from './payouts.ts';
import { changeRefund, createRefund, refundReasonSchema } from './refunds.ts';
import { type Call, doLater, ownCall, type Simulation } from './simulation.ts';

/** How often to check the deliveries while a caller waits for them to settle. */
const POLL_MS = 5;

const deliveriesQuery = z.strictObject({
  /** the maximum time to wait until no delivery is pending or held */
  waitMs: z.coerce.number().int().min(0).max(60_000).default(0),
  limit: z.coerce.number().int().min(1).max(1000).default(100),
});

const forgetParams = z.strictObject({ intents: z.string().transform((ids) => ids.split(',').filter(Boolean)) });

const refundChange = z.strictObject({ status: refundStatusSchema });
const refundOrder = z.strictObject({
  amount: z.number().int().positive().optional(),
  reason: refundReasonSchema.optional(),
});
const disputeDecision = z.strictObject({
  decision: disputeDecisionSchema,
  returned: z.number().int().positive().optional(),
});
const nothing = z.strictObject({});
const sum = z.strictObject({ amount: z.number().int().positive() });
const fee = sum.extend({ description: z.string().min(1).max(200).default('Radar') });
const paymentOutcome = z.strictObject({ outcome: z.enum(['succeed', 'fail']) });

/**
 * Serves endpoints that Stripe's API doesn't have. All paths are under /simulator and require the secret key. Requests
 * and responses are JSON, except that the request to /forget is form-encoded.
 *
 * - GET and POST /faults; POST replaces all faults.
 * - GET /deliveries: the webhook deliveries.
 * - GET /payments: payments with their charges, refunds and disputes.
 * - POST /charges/:id/refunds and POST /charges/:id/disputes: what a person can do in Stripe's dashboard, or at a bank.
 * - POST /charges/:id/failure: the bank takes a charge's money back.
 * - POST /disputes/:id, POST /refunds/:id and POST /payments/:id: the bank's decision.
 * - POST /payouts, /payouts/:id/failure, /topups and /fees: what moves money without a payment.
 * - POST /forget: erases payers' personal data.
 */
export function createControl(simulation: Simulation, wakeSender: () => void): Router {
  const { settings, deliveries, faults, commit } = simulation;
  const router = express.Router();
  router.use((request, _response, next) => {
    credentialOf(request.get('Authorization'), 'secret', settings);
    next();
  });
  router.get('/faults', (_request, response) => {
    response.json(faults);
  });
  router.post('/faults', express.json(), async (request, response) => {
    const before = faults.payoutEveryMs;
    Object.assign(faults, parseParams(faultsSchema, request.body ?? {}));
    if (faults.reorder === 0) deliveries.release();
    const { payoutEveryMs } = faults;
    if (before === 0 && payoutEveryMs > 0) {
      await commit(() => doLater(ownCall(simulation), payoutEveryMs, { kind: 'pay_out' }));
    }
    wakeSender();
    response.json(faults);
  });
  router.get('/payments', (request, response) => {
    response.json(listPayments(ownCall(simulation), parseParams(listPaymentsParams, request.query)));
  });
  decide('/charges/:id/refunds', refundOrder, (call, charge, order) => createRefund(call, { charge, ...order }));
  decide('/charges/:id/disputes', disputeParams, openDispute);
  decide('/charges/:id/failure', nothing, failCharge);
  decide('/payouts', nothing, (call) => payOut(call) ?? {});
  decide('/payouts/:id/failure', nothing, failPayout);
  decide('/topups', sum, (call, _id, { amount }) => bookTopup(call, amount));
  decide('/fees', fee, (call, _id, { amount, description }) => bookFee(call, amount, description));
  decide('/disputes/:id', disputeDecision, (call, id, { decision, returned }) =>
    decideDispute(call, id, decision, returned),
  );
  decide('/refunds/:id', refundChange, (call, id, { status }) => changeRefund(call, id, status));
  decide('/payments/:id', paymentOutcome, (call, id, { outcome }) => finishPayment(call, id, outcome));
  router.post('/forget', express.urlencoded({ extended: false }), (request, response) => {
    const { intents } = parseParams(forgetParams, request.body ?? {});
    forgetPayers(simulation, intents);
    response.json({ forgotten: intents.length });
  });
  router.get('/deliveries', async (request, response) => {
    const { waitMs, limit } = parseParams(deliveriesQuery, request.query);
    const end = performance.now() + waitMs;
    while (deliveries.unsettled() > 0 && performance.now() < end) await wait(POLL_MS);
    const unsettled = deliveries.unsettled();
    response.json({ settled: unsettled === 0, unsettled, deliveries: deliveries.list(limit) });
  });
  return router;

  /** Serves a POST whose changes are committed before the response. */
  function decide<S extends z.ZodType>(
    path: string,
    schema: S,
    work: (call: Call, id: string, params: z.output<S>) => object,
  ): void {
    router.post(path, express.json(), async (request, response) => {
      const params = parseParams(schema, request.body ?? {});
      const id = String(request.params.id);
      const changed = await commit(() => work(ownCall(simulation), id, params));
      wakeSender();
      response.json(changed);
    });
  }
}
