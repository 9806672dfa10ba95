import type Stripe from 'stripe';
import type { ReportedDispute } from '../../contracts/order/order-document.ts';
import { executeOnOrder, type PaymentContext } from './payment-context-flow.ts';
import { type PaymentMeta, PaymentProviderFailed, type RecordedOutcome } from './payments.ts';
import { findOrder, settle } from './settle-flow.ts';
import { callStripe } from './stripe-client-flow.ts';

/**
 * Fetches a dispute from Stripe and records on its order what Stripe says about it (PAY9). Webhooks about a dispute may
 * arrive in any order, so their contents aren't used.
 */
export async function settleDispute(
  context: PaymentContext,
  disputeId: string,
  meta: PaymentMeta,
): Promise<RecordedOutcome> {
  const dispute = await retrieveDispute(context, disputeId);
  const intent = dispute && idOf(dispute.payment_intent);
  if (!dispute || !intent) return { kind: 'not_ours' };
  const found = await findOrder(context, intent);
  if (found.kind !== 'found') return found;
  // The webhook about the payment itself may have been lost.
  await settle(context, intent, meta, { orderId: found.orderId });
  const reported = reportOf(dispute, intent);
  const { status, withdrawn, reinstated, refundable } = reported;
  const cause = `dispute:${disputeId}:${status}:${withdrawn}:${reinstated}:${refundable}`;
  await executeOnOrder(context, found.orderId, { type: 'ReportDispute', reported }, { ...meta, cause });
  return { kind: 'recorded' };
}

function reportOf(dispute: Stripe.Dispute, intent: string): ReportedDispute {
  const { id, amount, currency, status, balance_transactions: moves, is_charge_refundable: refundable } = dispute;
  const [withdrawn, reinstated] = [moves.length > 0, moves.length > 1];
  return { dispute: id, intent, amount, currency, status, withdrawn, reinstated, refundable };
}

async function retrieveDispute({ stripe }: PaymentContext, disputeId: string): Promise<Stripe.Dispute | null> {
  try {
    return await callStripe(() => stripe.disputes.retrieve(disputeId));
  } catch (error) {
    if (error instanceof PaymentProviderFailed && error.code === 'resource_missing') return null;
    throw error;
  }
}

const idOf = (reference: string | { readonly id: string } | null) =>
  typeof reference === 'string' ? reference : reference?.id;
