import { accept, type Decision, type DecisionContext, NOTHING_TO_DO, refuse } from '../../contracts/decider.ts';
import type { DomainEvent } from '../../contracts/events.ts';
import { CURRENCY } from '../../contracts/money.ts';
import {
  type HeldBack,
  isBarred,
  isLost,
  isNewerDispute,
  isNewerRefund,
  isOnItsWayBack,
  leftToGrant,
  MAX_REFUNDS,
  moneyBackOf,
  whyHeldBack,
} from './money-of-order.ts';
import { intentOf, type KnownOrder, type OrderCommand } from './order.ts';

type Command<Type extends OrderCommand['type']> = Extract<OrderCommand, { type: Type }>;

const isRefunded = (state: KnownOrder) => state.status === 'paid' && leftToGrant(state) === 0;

/**
 * Returns true for a paid order that will never be shipped, because its payment was granted as a refund, went back, or was
 * lost to a dispute, or because its customer's data was erased.
 */
export function isNeverShipped(state: KnownOrder): boolean {
  return isRefunded(state) || (state.status === 'paid' && (state.erased || isLost(state, state.transactionId)));
}

const REFUSALS = {
  refunded: 'order_refunded',
  disputed: 'order_disputed',
  lost: 'order_disputed',
  erased: 'order_erased',
} as const;

/** Returns the refusal to ship a paid order that is held back, or null if it can be shipped. */
export function whyNotShipped(state: KnownOrder): (typeof REFUSALS)[HeldBack] | null {
  const reason = whyHeldBack(state, state.erased);
  return reason && REFUSALS[reason];
}

/** Returns true while the shop has to send money back for this order, or money is on its way back to the customer. */
export function owesMoney(state: KnownOrder): boolean {
  const isDue = state.intents.some(
    ({ intent, status, failedRefunds }) =>
      status === 'refund_due' && failedRefunds.length < MAX_REFUNDS && !isLost(state, intent),
  );
  return isDue || isOnItsWayBack(state);
}

/**
 * Grants a refund. A command that names the version that the admin saw applies to that version only, so that of a refund
 * and a shipment at the same time, only one takes place (PAY8).
 */
export function grantRefund(
  command: Command<'GrantRefund'>,
  state: KnownOrder,
  { version, prior }: DecisionContext,
): Decision {
  const { id: orderId, transactionId: intent } = state;
  const [done] = prior;
  if (done?.type === 'RefundGranted') {
    const { amount, reason } = done.data;
    const cancelled = prior.some(({ type }) => type === 'OrderCancelled');
    const isSame = amount === command.amount && reason === command.reason && cancelled === command.cancels;
    return isSame ? NOTHING_TO_DO : refuse({ code: 'idempotency_key_reused' });
  }
  // A refund that the bank sends back after the order was cancelled can be granted again.
  if (state.status === 'cancelled' && (intent === '' || command.cancels))
    return refuse({ code: 'order_cancelled', orderId });
  if (intent === '') return refuse({ code: 'order_not_paid', orderId });
  if (command.seen !== undefined && command.seen !== version) return refuse({ code: 'stale_version', version });
  if (isBarred(state, intent)) return refuse({ code: 'order_disputed', orderId });
  const left = leftToGrant(state);
  if (command.amount > left) return refuse({ code: 'refund_too_large', orderId, left });
  const granted = grantedBy(command, state, intent);
  if (!command.cancels) return accept(granted);
  if (state.status === 'shipped') return refuse({ code: 'order_shipped', orderId });
  return command.amount === left
    ? accept(granted, cancelledByAdmin(state))
    : refuse({ code: 'refund_incomplete', orderId });
}

function grantedBy({ grant, amount, reason, note }: Command<'GrantRefund'>, { customer }: KnownOrder, intent: string) {
  const data = { grant, intent, amount, currency: CURRENCY, reason, person: customer, personal: { note } };
  return { type: 'RefundGranted', data } as const;
}

function cancelledByAdmin({ productId, quantity }: KnownOrder): DomainEvent {
  return { type: 'OrderCancelled', data: { reason: 'admin', productId, quantity } };
}

/** Records what Stripe says about a refund, unless a newer report is known. A refund that was never granted counts too. */
export function reportRefund({ reported }: Command<'ReportRefund'>, state: KnownOrder): Decision {
  if (intentOf(state, reported.intent)?.status !== 'paid') return NOTHING_TO_DO;
  const known = moneyBackOf(state).refunds.find(({ refund }) => refund === reported.refund);
  return isNewerRefund(known, reported) ? accept({ type: 'RefundReported', data: reported }) : NOTHING_TO_DO;
}

/** Records what Stripe says about a dispute, unless a newer report is known. */
export function reportDispute({ reported }: Command<'ReportDispute'>, state: KnownOrder): Decision {
  if (intentOf(state, reported.intent) === undefined) return NOTHING_TO_DO;
  const known = moneyBackOf(state).disputes.find(({ dispute }) => dispute === reported.dispute);
  return isNewerDispute(known, reported) ? accept({ type: 'DisputeReported', data: reported }) : NOTHING_TO_DO;
}
