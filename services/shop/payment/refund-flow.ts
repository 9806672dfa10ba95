import type Stripe from 'stripe';
import type { ReportedRefund } from '../../contracts/order/order-document.ts';
import { REFUND_STATUSES, type RefundStatus } from '../../contracts/order/order-reasons.ts';
import { orderDecider } from '../order/decide-order.ts';
import {
  failuresOf,
  isBarred,
  isFailed,
  isNewerRefund,
  MAX_REFUNDS,
  moneyBackOf,
  owedGrants,
} from '../order/money-of-order.ts';
import { type IntentState, intentOf, type KnownOrder, type OrderCommand } from '../order/order.ts';
import { executeOnOrder, type PaymentContext, type StripeCalls } from './payment-context-flow.ts';
import { type PaymentMeta, PaymentProviderFailed } from './payments.ts';
import { callStripe, createUnderKey } from './stripe-client-flow.ts';

interface Refunding {
  readonly context: PaymentContext;
  readonly orderId: string;
  readonly intentId: string;
  readonly meta: PaymentMeta;
}

/**
 * Makes the refunds of a payment intent that are due or granted, and records what Stripe says about them (PAY6). First
 * checks Stripe for earlier refunds of the same intent, because they may still succeed.
 */
export async function refund(refunding: Refunding): Promise<void> {
  const order = await loadOrder(refunding);
  const before = order && intentOf(order, refunding.intentId);
  if (order && before?.status === 'paid') return refundGranted(refunding, order);
  if (before?.status !== 'refund_due') return;
  const { pending } = await recordRefunds(refunding, before);
  const left = await loadIntent(refunding);
  if (pending || left?.status !== 'refund_due' || left.failedRefunds.length >= MAX_REFUNDS) return;
  if (order && isBarred(order, refunding.intentId)) return;
  await refundAtStripe(refunding, left);
  await recordRefunds(refunding, left);
}

/**
 * Records what Stripe says about a payment intent's refunds: those that were due, those that an admin granted, and those
 * that were made in Stripe's dashboard.
 */
export async function settleRefunds(refunding: Refunding): Promise<void> {
  const order = await loadOrder(refunding);
  const intent = order && intentOf(order, refunding.intentId);
  if (intent?.due) await recordRefunds(refunding, intent);
  else if (order && intent?.status === 'paid') await reportRefunds(refunding, order);
}

/** Returns all refunds of a payment intent, newest first. */
async function refundsOf(stripe: StripeCalls, intentId: string): Promise<Stripe.Refund[]> {
  const found: Stripe.Refund[] = [];
  for (;;) {
    const last = found.at(-1);
    const page = { limit: 100, ...(last && { starting_after: last.id }) };
    const { data, has_more: isMore } = await callStripe(() =>
      stripe.refunds.list({ payment_intent: intentId, ...page }),
    );
    found.push(...data);
    if (!isMore || data.length === 0) return found;
  }
}

async function loadOrder({ context, orderId }: Refunding): Promise<KnownOrder | undefined> {
  const { state } = await context.handler.load(orderDecider, orderId);
  return state.status === 'absent' ? undefined : state;
}

async function loadIntent(refunding: Refunding): Promise<IntentState | undefined> {
  const order = await loadOrder(refunding);
  return order && intentOf(order, refunding.intentId);
}

/** Makes the refunds that admins granted and that Stripe doesn't know yet (PAY8). */
async function refundGranted(refunding: Refunding, order: KnownOrder): Promise<void> {
  const { context, orderId, intentId } = refunding;
  const state = await reportRefunds(refunding, order);
  if (isBarred(state, intentId)) return;
  for (const granted of owedGrants(state)) {
    const { grant, amount } = granted;
    if (failuresOf(state, granted) >= MAX_REFUNDS) continue;
    // A grant may take several refunds, and each refund needs its own key. Two copies ask for different amounts only if
    // the smaller one is all that's left of the payment. Then Stripe refuses one of them.
    const earlier = moneyBackOf(state).refunds.filter((one) => one.grant === grant).length;
    const params = { payment_intent: intentId, amount, metadata: { orderId, grant } };
    const made = await callStripe(() =>
      createUnderKey(
        `refund:${intentId}:grant:${grant}:${earlier}:${amount}`,
        (options) => context.stripe.refunds.create(params, options),
        context.clock(),
      ),
    );
    await reportRefund(refunding, made, state);
  }
}

/** Records what Stripe says about the refunds of the order's payment. Returns the order's state afterwards. */
async function reportRefunds(refunding: Refunding, order: KnownOrder): Promise<KnownOrder> {
  const refunds = await refundsOf(refunding.context.stripe, refunding.intentId);
  let state = order;
  // Stripe lists the newest refund first, but reports are recorded oldest first.
  for (const one of refunds.reverse()) state = await reportRefund(refunding, one, state);
  return state;
}

async function reportRefund(refunding: Refunding, refund: Stripe.Refund, order: KnownOrder): Promise<KnownOrder> {
  const { context, orderId, intentId, meta } = refunding;
  const reported = reportOf(refund, intentId, order);
  const known = moneyBackOf(order).refunds.find((one) => one.refund === refund.id);
  if (!isNewerRefund(known, reported)) return order;
  const cause = `refund:${refund.id}:${reported.status}`;
  const outcome = await executeOnOrder(context, orderId, { type: 'ReportRefund', reported }, { ...meta, cause });
  const after = outcome.kind === 'done' && outcome.state.status !== 'absent' ? outcome.state : order;
  if (isFailed(reported.status)) {
    const { id, failure_reason: failure } = refund;
    const failures = reported.grant === null ? 0 : failuresOf(after, { grant: reported.grant });
    const next = failures < MAX_REFUNDS ? '' : '; a person has to give the money back';
    context.logger.error(
      { orderId, intent: intentId, refund: id, failure, failures },
      `a refund of a payment failed${next}`,
    );
  }
  return after;
}

function reportOf(refund: Stripe.Refund, intent: string, order: KnownOrder): ReportedRefund {
  const { id, amount, currency, status, metadata, failure_reason: failure } = refund;
  const grant = moneyBackOf(order).grants.find((one) => one.grant === metadata?.grant)?.grant ?? null;
  return { refund: id, intent, amount, currency, status: statusOf(status), grant, failure: failure ?? null };
}

function statusOf(status: string | null): RefundStatus {
  return REFUND_STATUSES.find((one) => one === status) ?? 'pending';
}

async function recordRefunds(refunding: Refunding, { due, failedRefunds }: IntentState): Promise<{ pending: boolean }> {
  const data = await refundsOf(refunding.context.stripe, refunding.intentId);
  const failed = data.filter((one) => hasFailed(one) && !failedRefunds.includes(one.id));
  // Stripe lists the newest refund first, but failures are recorded oldest first.
  for (const one of failed.reverse()) await recordFailure(refunding, one, one.failure_reason ?? one.status ?? 'failed');
  const made = data.filter(({ status }) => status === 'succeeded');
  const [newest] = made;
  const amount = made.reduce((sum, one) => sum + one.amount, 0);
  if (newest && amount >= (due?.amount ?? Number.POSITIVE_INFINITY)) {
    await record(refunding, { type: 'RecordRefund', intent: refunding.intentId, amount, refund: newest.id });
  }
  return { pending: data.some((one) => one.status !== 'succeeded' && !hasFailed(one)) };
}

async function recordFailure(refunding: Refunding, failed: Stripe.Refund, failure: string): Promise<void> {
  const { context, orderId, intentId } = refunding;
  const command = { type: 'RecordFailedRefund', intent: intentId, refund: failed.id, failure } as const;
  const outcome = await record(refunding, command);
  const failures = outcome?.failedRefunds.length ?? 0;
  const next = failures < MAX_REFUNDS ? 'another one is made' : 'a person has to give the money back';
  context.logger.error({ orderId, intent: intentId, refund: failed.id, failure, failures }, `a refund failed; ${next}`);
}

async function record(
  { context, orderId, intentId, meta }: Refunding,
  command: Extract<OrderCommand, { type: 'RecordRefund' | 'RecordFailedRefund' }>,
): Promise<IntentState | undefined> {
  const step = command.type === 'RecordRefund' ? 'refund' : 'refund-failed';
  const outcome = await executeOnOrder(context, orderId, command, { ...meta, cause: `${step}:${command.refund}` });
  return outcome.kind === 'done' && outcome.state.status !== 'absent' ? intentOf(outcome.state, intentId) : undefined;
}

/**
 * Asks Stripe to refund a payment intent's remaining amount. A retry after a failed refund needs a new idempotency key,
 * because with the old key, Stripe would replay the failed refund.
 */
async function refundAtStripe(
  { context: { stripe, clock }, orderId }: Refunding,
  { intent, failedRefunds }: IntentState,
): Promise<void> {
  const params = { payment_intent: intent, metadata: { orderId } };
  const key = failedRefunds.length === 0 ? 'full' : `after-${failedRefunds.length}`;
  try {
    await callStripe(() =>
      createUnderKey(`refund:${intent}:${key}`, (options) => stripe.refunds.create(params, options), clock()),
    );
  } catch (error) {
    // If the charge was already refunded, e.g. by another process, nothing is left to do here.
    if (!(error instanceof PaymentProviderFailed) || error.code !== 'charge_already_refunded') throw error;
  }
}

function hasFailed({ status }: Stripe.Refund): boolean {
  return status === 'failed' || status === 'canceled';
}
