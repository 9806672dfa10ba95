import { z } from 'zod';
import { bookRefund, bookRefundFailure, coversRefund } from './balance-transactions.ts';
import { afterwardsOf } from './cards.ts';
import { blocksRefunds } from './disputes.ts';
import { invalidRequest } from './errors.ts';
import { mergeMetadata, money } from './intents.ts';
import type { ChargeObject, RefundObject } from './objects.ts';
import { integer, listParams, metadata, text } from './params.ts';
import { type Call, doLater, emit, find, listPage, nowInSeconds, save } from './simulation.ts';

const which = { charge: text.optional(), payment_intent: text.optional() };

export const refundReasonSchema = z.enum(['duplicate', 'fraudulent', 'requested_by_customer']);

export const createRefundParams = z.strictObject({
  ...which,
  amount: integer.optional(),
  metadata: metadata.optional(),
  reason: refundReasonSchema.optional(),
});
export const listRefundsParams = listParams.extend(which);

/**
 * Refunds the given amount of a charge. Without an amount, refunds everything that hasn't been refunded yet.
 * @throws StripeFault if the charge isn't paid, if a dispute forbids refunds, if less than the amount is left, or if the
 * balance is too low
 */
export function createRefund(call: Call, params: z.output<typeof createRefundParams>): RefundObject {
  const charge = chargeToRefund(call, params);
  if (blocksRefunds(call, charge)) {
    const message = `Charge ${charge.id} has been charged back; cannot issue a refund.`;
    throw invalidRequest(message, { code: 'charge_disputed' });
  }
  if (charge.refunded) {
    const message = `Charge ${charge.id} has already been refunded.`;
    throw invalidRequest(message, { code: 'charge_already_refunded' });
  }
  const left = charge.amount - charge.amount_refunded;
  const { amount = left, reason = null } = params;
  if (amount < 1) {
    const message = 'This value must be greater than or equal to 1.';
    throw invalidRequest(message, { code: 'parameter_invalid_integer', param: 'amount' });
  }
  if (amount > left) {
    const [asked, most] = [money(amount, charge.currency), money(left, charge.currency)];
    const message = `Refund amount (${asked}) is greater than unrefunded amount on charge (${most})`;
    throw invalidRequest(message, { param: 'amount' });
  }
  const { faults } = call.simulation;
  if (faults.refundRefusal !== null) throw invalidRequest(faults.refundRefusal);
  const isHeld = faults.lowBalance !== 'cover' && !coversRefund(call, amount, charge.currency);
  if (isHeld && faults.lowBalance === 'refuse') {
    throw invalidRequest('Insufficient funds in your Stripe balance to refund this amount.');
  }
  const { refund: plan } = afterwardsOf(charge.payment_method_details.card);
  const firstStatus = plan?.first ?? faults.refundStatus;
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
    ...(isHeld ? HELD : statusFields(firstStatus)),
  };
  const made = isUndone(refund) ? refund : withMoneyTaken(call, refund);
  save(call, made, 'refund.created');
  if (!isUndone(made)) save(call, withRefunded(charge, amount), 'charge.refunded');
  if (isHeld) doLater(call, faults.decisionMs, { kind: 'make_held_refund', refund: made.id });
  else if (plan) doLater(call, faults.decisionMs, { kind: 'decide_refund', refund: made.id, status: plan.later });
  return made;
}

export function listRefunds(call: Call, { charge, payment_intent, ...page }: z.output<typeof listRefundsParams>) {
  const parent = payment_intent ?? (charge && find(call, 'charge', charge, 'charge').payment_intent);
  return listPage(call, 'refund', page, { parent });
}

/** The status of a refund for which the balance is too low. */
const HELD = { status: 'pending', pending_reason: 'insufficient_funds' } as const;

/** Makes a refund that was held because the balance was too low, if the balance covers it now. */
export function makeHeldRefund(call: Call, id: string): void {
  const { status, pending_reason: reason, amount, currency } = find(call, 'refund', id);
  if (status !== HELD.status || reason !== HELD.pending_reason) return;
  if (coversRefund(call, amount, currency)) changeRefund(call, id, 'succeeded');
  else doLater(call, call.simulation.faults.decisionMs, { kind: 'make_held_refund', refund: id });
}

/**
 * Changes a refund's status. With the real Stripe, the bank can change the status some time after the refund was
 * created. The money of a failed or canceled refund returns to the account, and the refund no longer counts toward the
 * charge's refunded amount. Such a refund stays as it is.
 * @throws StripeFault if a failed or canceled refund would get another status
 */
export function changeRefund(call: Call, id: string, status: RefundObject['status']): RefundObject {
  const before = find(call, 'refund', id);
  if (before.status === status) return before;
  if (isUndone(before)) {
    throw invalidRequest(`Refund ${id} has a status of ${before.status} and can no longer change.`);
  }
  const after = withStatus(call, before, status);
  if (isUndone(after)) {
    save(call, withRefunded(find(call, 'charge', before.charge), -before.amount));
  }
  save(call, after, 'refund.updated');
  if (status === 'failed') emit(call, after, 'refund.failed');
  return after;
}

/** Returns the refund with another status, and books the money that moves because of it. */
function withStatus(call: Call, before: RefundObject, status: RefundObject['status']): RefundObject {
  const { pending_reason: _, ...others } = before;
  const after: RefundObject = { ...others, ...statusFields(status) };
  if (!isUndone(after)) return withMoneyTaken(call, after);
  if (after.balance_transaction === null) return after;
  return { ...after, failure_balance_transaction: bookRefundFailure(call, after, after.balance_transaction) };
}

/**
 * Takes the refund's money from the account, unless it's already taken, there isn't enough, or the customer first has to
 * say where it should go.
 */
function withMoneyTaken(call: Call, refund: RefundObject): RefundObject {
  if (refund.status === 'requires_action' || refund.pending_reason === HELD.pending_reason) return refund;
  if (refund.balance_transaction !== null) return refund;
  return { ...refund, balance_transaction: bookRefund(call, refund) };
}

function statusFields(
  status: RefundObject['status'],
): Pick<RefundObject, 'status' | 'failure_reason' | 'pending_reason'> {
  if (status === 'failed') return { status, failure_reason: 'lost_or_stolen_card' };
  return status === 'pending' ? { status, pending_reason: 'processing' } : { status };
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
