import express, { type RequestHandler, Router } from 'express';
import { z } from 'zod';
import { toPoisha } from '../../contracts/money.ts';
import { sendProblem } from '../../runtime/problem-response.ts';
import { PAGE, SCRIPT } from './dashboard-page.ts';
import { DASHBOARD, paymentList } from './payment-list.ts';
import { balanceSchema, paymentsSchema } from './simulator-payments.ts';

export interface StripeDashboardOptions {
  readonly simulatorUrl: string;
  readonly secretKey: string;
  /** lets only requests pass that have an admin's access token */
  readonly adminsOnly: RequestHandler;
}

const PAGE_SIZE = 20;
const TIMEOUT_MS = 7_000;

const idSchema = z.string().regex(/^[a-z]+_[A-Za-z0-9]{1,100}$/);
const querySchema = z.object({ starting_after: idSchema.optional() });

/** Amounts are typed with two decimals in the currency's main unit. All currencies of the simulator have two decimals. */
const amount = z.coerce.number().positive().max(1_000_000).transform(toPoisha);
const reason = z.string().max(100);

/**
 * The forms by path. A form's fields become the JSON body of the simulator's endpoint with the same path, which checks
 * their values.
 */
const FORMS = {
  '/charges/:id/refunds': z.strictObject({ amount, reason }),
  '/charges/:id/disputes': z.strictObject({
    amount,
    reason,
    inquiry: z
      .literal('true')
      .optional()
      .transform((given) => given !== undefined),
  }),
  '/disputes/:id': z.strictObject({ decision: z.string() }),
  '/refunds/:id': z.strictObject({ status: z.enum(['succeeded', 'failed']) }),
  '/payments/:id': z.strictObject({ outcome: z.string() }),
};

const refusalSchema = z.object({ error: z.object({ message: z.string() }) });

/**
 * Serves the local Stripe's dashboard under /demo-stripe/dashboard, where a person can refund and dispute payments and
 * decide what the banks do. The page itself contains nothing private, so anyone may open it. Only the shop's admins may
 * see payments and act on them, because an action is about another person's money. The admin's access token is sent in
 * a header, which other websites can't do. The simulator's secret key never reaches the browser.
 */
export function createStripeDashboard({ simulatorUrl, secretKey, adminsOnly }: StripeDashboardOptions): Router {
  const router = Router();
  router.get(DASHBOARD, (_request, response) => {
    response.set('Cache-Control', 'no-store').type('html').send(PAGE);
  });
  router.get(`${DASHBOARD}/script.js`, (_request, response) => {
    response.set('Cache-Control', 'no-store').type('text/javascript').send(SCRIPT);
  });
  router.get(`${DASHBOARD}/payments`, adminsOnly, async (request, response) => {
    const query = querySchema.safeParse(request.query);
    if (!query.success) return sendProblem(response, 'invalid_request');
    const { starting_after } = query.data;
    const page = new URLSearchParams({ limit: String(PAGE_SIZE), ...(starting_after && { starting_after }) });
    const [listed, balance] = await Promise.all([call(`/simulator/payments?${page}`), call('/v1/balance')]);
    if (!listed.ok || !balance.ok) return sendProblem(response, 'payment_unavailable');
    const { payments, has_more } = paymentsSchema.parse(listed.body);
    const olderThan = has_more ? (payments.at(-1)?.intent.id ?? null) : null;
    const { text } = paymentList(payments, balanceSchema.parse(balance.body), olderThan);
    response.set('Cache-Control', 'no-store').type('html').send(text);
  });
  for (const [path, schema] of Object.entries(FORMS)) {
    const readForm = express.urlencoded({ extended: false, limit: '4kb' });
    router.post(DASHBOARD + path, adminsOnly, readForm, async (request, response) => {
      const [id, form] = [idSchema.safeParse(request.params.id), schema.safeParse(request.body)];
      if (!id.success || !form.success) return sendProblem(response, 'invalid_request');
      const { ok, body } = await call(`/simulator${path.replace(':id', id.data)}`, form.data);
      response.set('Cache-Control', 'no-store').status(ok ? 200 : 400);
      response.json({ message: ok ? 'Done.' : messageOf(body) });
    });
  }
  return router;

  /** Calls the simulator with a GET, or with a POST if there is a body. A simulator that is down counts as not ok. */
  async function call(path: string, body?: object): Promise<{ ok: boolean; body: unknown }> {
    const headers = { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' };
    const post = body && { method: 'POST', body: JSON.stringify(body) };
    try {
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      const answer = await fetch(simulatorUrl + path, { headers, signal, ...post });
      return { ok: answer.ok, body: await answer.json() };
    } catch {
      return { ok: false, body: null };
    }
  }
}

function messageOf(body: unknown): string {
  return refusalSchema.safeParse(body).data?.error.message ?? 'The local Stripe did not answer. Please try again.';
}
