import { availableNow, bookPayout, bookPayoutFailure } from './balance-transactions.ts';
import { invalidRequest } from './errors.ts';
import type { PayoutObject } from './objects.ts';
import { type Call, doLater, emit, find, nowInSeconds, save } from './simulation.ts';

const DAY_S = 86_400;

/**
 * Pays the available balance out to the shop's bank account, as Stripe does automatically on most days. If the balance is
 * negative, the money comes from the bank account. Returns null if there is nothing to pay.
 */
export function payOut(call: Call): PayoutObject | null {
  const amount = availableNow(call);
  if (amount === 0) return null;
  const created = nowInSeconds(call);
  const payout: Omit<PayoutObject, 'balance_transaction'> = {
    id: call.simulation.newId('po_'),
    object: 'payout',
    amount,
    arrival_date: created + DAY_S,
    automatic: true,
    created,
    currency: call.simulation.faults.settlesIn,
    description: 'STRIPE PAYOUT',
    failure_balance_transaction: null,
    failure_code: null,
    livemode: false,
    metadata: {},
    method: 'standard',
    source_type: 'card',
    status: 'paid',
    type: 'bank_account',
  };
  const booked = { ...payout, balance_transaction: bookPayout(call, payout) };
  save(call, booked, 'payout.created');
  emit(call, booked, 'payout.paid');
  return booked;
}

/** Ends a payout that the shop's bank didn't accept. `payout.paid` only meant that it was expected to arrive. */
export function failPayout(call: Call, id: string): PayoutObject {
  const payout = find(call, 'payout', id);
  if (payout.status === 'failed') throw invalidRequest(`Payout ${id} has already failed.`);
  const failure_balance_transaction = bookPayoutFailure(call, payout);
  return save(
    call,
    { ...payout, failure_balance_transaction, failure_code: 'account_closed', status: 'failed' },
    'payout.failed',
  );
}

/** Pays out, and again after `payoutEveryMs`. */
export function payOutRegularly(call: Call): void {
  const { payoutEveryMs } = call.simulation.faults;
  if (payoutEveryMs === 0) return;
  payOut(call);
  doLater(call, payoutEveryMs, { kind: 'pay_out' });
}
