import { z } from 'zod';
import { invalidRequest } from './errors.ts';
import { mergeMetadata, money } from './intents.ts';
import type { ChargeObject, RefundObject } from './objects.ts';
import { integer, listParams, metadata, text } from './params.ts';
import { type Call, emit, find, listPage, nowInSeconds, save } from './simulation.ts';

const which = { charge: text.optional(), payment_intent: text.optional() };

export const createRefundParams = z.strictObject({
  ...which,
  amount: integer.optional(),
  metadata: metadata.optional(),
  reason: z.enum(['duplicate', 'fraudulent', 'requested_by_customer']).optional(),
});
export const listRefundsParams = listParams.extend(which);

/** Refunds the given amount of a charge. Without an amount, refunds everything that hasn't been refunded yet. */
export function createRefund(call: Call, params: z.output<typeof createRefundParams>): RefundObject {
  const charge = chargeToRefund(call, params);
  if (charge.refunded) {
    const message = `Charge ${charge.id} has already been refunded.`;
    throw invalidRequest(message, { code: 'charge_already_refunded' });
  }
  const left = charge.amount - charge.amount_refunded;
  const { amount = left, reason = null } = params;
  if (amount < 1 || amount > left) {
    const [asked, most] = [money(amount, charge.currency), money(left, charge.currency)];
    const message = `Refund amount (${asked}) must be above 0 and not greater than unrefunded amount on charge (${most}).`;
    throw invalidRequest(message, { param: 'amount' });
  }
  const refund: RefundObject = {
    id: call.simulation.newId('re_'),
    object: 'refund',
    amount,
    balance_transaction: null,
    charge: charge.id,
    created: nowInSeconds(call),
    currency: charge.currency,
    metadata: mergeMetadata({}, params.metadata),
    payment_intent: charge.payment_intent,
    reason,
    receipt_number: null,
    ...statusFields(call.simulation.faults.refundStatus),
  };
  save(call, refund, 'refund.created');
  if (!isUndone(refund)) save(call, withRefunded(charge, amount), 'charge.refunded');
  return refund;
}

export function listRefunds(call: Call, { charge, payment_intent, ...page }: z.output<typeof listRefundsParams>) {
  const parent = payment_intent ?? (charge && find(call, 'charge', charge, 'charge').payment_intent);
  return listPage(call, 'refund', page, { parent });
}

/**
 * Changes a refund's status. With the real Stripe, the bank can change the status some time after the refund was
 * created. A failed or canceled refund no longer counts toward the charge's refunded amount.
 */
export function changeRefund(call: Call, id: string, status: RefundObject['status']): RefundObject {
  const before = find(call, 'refund', id);
  const after = { ...before, ...statusFields(status) };
  if (isUndone(after) && !isUndone(before)) {
    save(call, withRefunded(find(call, 'charge', before.charge), -before.amount));
  }
  save(call, after, 'refund.updated');
  if (status === 'failed') emit(call, after, 'refund.failed');
  return after;
}

function statusFields(status: RefundObject['status']): Pick<RefundObject, 'status' | 'failure_reason'> {
  return status === 'failed' ? { status, failure_reason: 'lost_or_stolen_card' } : { status };
}

function isUndone({ status }: RefundObject): boolean {
  return status === 'failed' || status === 'canceled';
}

function withRefunded(charge: ChargeObject, more: number): ChargeObject {
  const amount_refunded = charge.amount_refunded + more;
  return { ...charge, amount_refunded, refunded: amount_refunded === charge.amount };
}

/** Returns the charge to refund, which `params` identifies by the charge's id or by its payment intent's id. */
function chargeToRefund(call: Call, params: z.output<typeof createRefundParams>): ChargeObject {
  if (params.charge !== undefined) {
    const charge = find(call, 'charge', params.charge, 'charge');
    if (!charge.paid) throw invalidRequest(`Charge ${charge.id} has not been paid.`, { param: 'charge' });
    return charge;
  }
  if (params.payment_intent === undefined) {
    throw invalidRequest('One of the following params should be provided for this request: payment_intent or charge.');
  }
  const intent = find(call, 'payment_intent', params.payment_intent, 'payment_intent');
  if (intent.status !== 'succeeded' || intent.latest_charge === null) {
    const message = `This PaymentIntent (${intent.id}) does not have a successful charge to refund.`;
    throw invalidRequest(message, { param: 'payment_intent' });
  }
  return find(call, 'charge', intent.latest_charge);
}
