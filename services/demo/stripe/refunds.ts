import { z } from 'zod';
import { invalidRequest, resourceMissing } from './errors.ts';
import { mergeMetadata, money } from './intents.ts';
import type { ChargeObject, RefundObject } from './objects.ts';
import { integer, listParams, metadata, text } from './params.ts';
import { type Call, emit, listPage, nowInSeconds } from './simulation.ts';

const which = { charge: text.optional(), payment_intent: text.optional() };

export const createRefundParams = z.strictObject({
  ...which,
  amount: integer.optional(),
  metadata: metadata.optional(),
  reason: z.enum(['duplicate', 'fraudulent', 'requested_by_customer']).optional(),
});
export const listRefundsParams = listParams.extend(which);

/** Without an amount: all that is left of the charge. */
export function createRefund(call: Call, params: z.output<typeof createRefundParams>): RefundObject {
  const charge = chargeToRefund(call, params);
  const left = charge.amount - charge.amount_refunded;
  if (charge.refunded) {
    const message = `Charge ${charge.id} has already been refunded.`;
    throw invalidRequest(message, { code: 'charge_already_refunded' });
  }
  const amount = params.amount ?? left;
  if (amount < 1 || amount > left) {
    const [asked, most] = [money(amount, charge.currency), money(left, charge.currency)];
    const message = `Refund amount (${asked}) must be above 0 and not greater than unrefunded amount on charge (${most}).`;
    throw invalidRequest(message, { param: 'amount' });
  }
  return refund(call, charge, amount, params);
}

export function retrieveRefund(call: Call, id: string): RefundObject {
  const found = call.simulation.store.get('refund', id);
  if (!found) throw resourceMissing('refund', id);
  return found;
}

export function listRefunds(call: Call, params: z.output<typeof listRefundsParams>) {
  const { charge, payment_intent, ...page } = params;
  const parent = payment_intent ?? (charge && findCharge(call, charge, 'charge').payment_intent);
  return listPage(call, 'refund', '/v1/refunds', page, parent ? { parent } : {});
}

export function findCharge(call: Call, id: string, param?: string): ChargeObject {
  const charge = call.simulation.store.get('charge', id);
  if (!charge) throw resourceMissing('charge', id, param);
  return charge;
}

function refund(
  call: Call,
  charge: ChargeObject,
  amount: number,
  { metadata: entries, reason }: z.output<typeof createRefundParams>,
): RefundObject {
  const { newId } = call.simulation;
  const made: RefundObject = {
    id: newId('re_'),
    object: 'refund',
    amount,
    balance_transaction: null,
    charge: charge.id,
    created: nowInSeconds(call),
    currency: charge.currency,
    metadata: mergeMetadata({}, entries),
    payment_intent: charge.payment_intent,
    reason: reason ?? null,
    receipt_number: null,
    ...statusFields(call.simulation.faults().refundStatus),
  };
  keepRefund(call, made);
  emit(call, 'refund.created', made);
  if (!isUndone(made)) emit(call, 'charge.refunded', keepCharge(call, charge, amount));
  return made;
}

/** At Stripe the bank decides this later. A failed refund gives the charge its money back. */
export function changeRefund(call: Call, id: string, status: RefundObject['status']): RefundObject {
  const before = retrieveRefund(call, id);
  const after = { ...before, ...statusFields(status) };
  keepRefund(call, after);
  if (isUndone(after) && !isUndone(before)) {
    keepCharge(call, findCharge(call, before.charge), -before.amount);
  }
  emit(call, 'refund.updated', after);
  if (status === 'failed') emit(call, 'refund.failed', after);
  return after;
}

function statusFields(status: RefundObject['status']): Pick<RefundObject, 'status' | 'failure_reason'> {
  return status === 'failed' ? { status, failure_reason: 'lost_or_stolen_card' } : { status };
}

function isUndone({ status }: RefundObject): boolean {
  return status === 'failed' || status === 'canceled';
}

function keepRefund({ simulation }: Call, refund: RefundObject): void {
  simulation.store.put('refund', refund.id, refund, { created: refund.created, parent: refund.payment_intent });
}

function keepCharge({ simulation }: Call, charge: ChargeObject, more: number): ChargeObject {
  const refunded = charge.amount_refunded + more;
  const after: ChargeObject = { ...charge, amount_refunded: refunded, refunded: refunded === charge.amount };
  simulation.store.put('charge', after.id, after, { created: after.created });
  return after;
}

/** The charge named, or the succeeded one of the named intent. */
function chargeToRefund(call: Call, params: z.output<typeof createRefundParams>): ChargeObject {
  if (params.charge !== undefined) {
    const charge = findCharge(call, params.charge, 'charge');
    if (!charge.paid) throw invalidRequest(`Charge ${charge.id} has not been paid.`, { param: 'charge' });
    return charge;
  }
  if (params.payment_intent === undefined) {
    throw invalidRequest('One of the following params should be provided for this request: payment_intent or charge.');
  }
  const intent = call.simulation.store.get('payment_intent', params.payment_intent);
  if (!intent) throw resourceMissing('payment_intent', params.payment_intent, 'payment_intent');
  if (intent.status !== 'succeeded' || intent.latest_charge === null) {
    const message = `This PaymentIntent (${intent.id}) does not have a successful charge to refund.`;
    throw invalidRequest(message, { param: 'payment_intent' });
  }
  return findCharge(call, intent.latest_charge);
}
