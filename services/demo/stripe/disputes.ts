import type { z } from 'zod';
import { bookDispute, bookDisputeReversal } from './balance-transactions.ts';
import { type DisputeDecision, type DisputeParams, disputeParams } from './dispute-params.ts';
import { invalidRequest } from './errors.ts';
import { money } from './intents.ts';
import type { ChargeObject, DisputeObject, DisputeStatus } from './objects.ts';
import { listParams, text } from './params.ts';
import { type Call, emit, find, listPage, nowInSeconds, save } from './simulation.ts';

const DAY_S = 86_400;

export const listDisputesParams = listParams.extend({
  charge: text.optional(),
  payment_intent: text.optional(),
});

/** The statuses in which each decision is possible, and the status that follows. */
const DECISIONS: Record<DisputeDecision, Partial<Record<DisputeStatus, DisputeStatus>>> = {
  respond: { needs_response: 'under_review', warning_needs_response: 'warning_under_review' },
  escalate: { warning_needs_response: 'needs_response', warning_under_review: 'needs_response' },
  win: { needs_response: 'won', under_review: 'won' },
  lose: { needs_response: 'lost', under_review: 'lost' },
  close: {
    needs_response: 'lost',
    under_review: 'lost',
    warning_needs_response: 'warning_closed',
    warning_under_review: 'warning_closed',
  },
};

/**
 * Disputes a charge. Unless it's an inquiry, the disputed amount and the dispute's fee are withdrawn at once, and the
 * charge can't be refunded until the dispute is won.
 * @throws StripeFault if the charge isn't paid, is already disputed, or is smaller than the disputed amount
 */
export function openDispute(call: Call, chargeId: string, params: DisputeParams): DisputeObject {
  const charge = find(call, 'charge', chargeId);
  const { reason, inquiry, daysToRespond, ...given } = disputeParams.parse(params);
  const { amount = charge.amount - charge.amount_refunded } = given;
  if (!charge.paid) throw invalidRequest(`Charge ${charge.id} has not been paid.`, { param: 'charge' });
  if (charge.disputed) throw invalidRequest(`Charge ${charge.id} is already disputed.`, { param: 'charge' });
  if (amount < 1 || amount > charge.amount) {
    const [asked, most] = [money(amount, charge.currency), money(charge.amount, charge.currency)];
    throw invalidRequest(`The disputed amount (${asked}) must be above 0 and at most ${most}.`, { param: 'amount' });
  }
  const created = nowInSeconds(call);
  const { brand } = charge.payment_method_details.card;
  const dispute: DisputeObject = {
    id: call.simulation.newId('dp_'),
    object: 'dispute',
    amount,
    balance_transactions: [],
    charge: charge.id,
    created,
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence_details: {
      due_by: daysToRespond === 0 ? 0 : created + daysToRespond * DAY_S,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'not_submitted',
    },
    is_charge_refundable: inquiry,
    livemode: false,
    metadata: {},
    payment_intent: charge.payment_intent,
    payment_method_details: {
      type: 'card',
      card: {
        brand,
        case_type: inquiry ? 'inquiry' : 'chargeback',
        network: brand,
        network_reason_code: reason === 'fraudulent' ? '10.4' : '13.1',
      },
    },
    reason,
    status: inquiry ? 'warning_needs_response' : 'needs_response',
  };
  save(call, { ...charge, disputed: true });
  if (inquiry) return save(call, dispute, 'charge.dispute.created');
  const withdrawn = withFundsWithdrawn(call, dispute);
  save(call, withdrawn, 'charge.dispute.created');
  emit(call, withdrawn, 'charge.dispute.funds_withdrawn');
  return withdrawn;
}

/**
 * `returned` is how much of the amount comes back if the dispute is won, in the charge's smallest unit: all by default.
 * @throws StripeFault if the decision isn't possible in the dispute's status
 */
export function decideDispute(call: Call, id: string, decision: DisputeDecision, returned?: number): DisputeObject {
  const before = find(call, 'dispute', id);
  const status = DECISIONS[decision][before.status];
  if (status === undefined) {
    throw invalidRequest(`Dispute ${id} has a status of ${before.status}: '${decision}' is not possible.`);
  }
  const after = { ...before, status };
  switch (status) {
    case 'needs_response': {
      const withdrawn = withFundsWithdrawn(call, after);
      save(call, withdrawn, 'charge.dispute.updated');
      emit(call, withdrawn, 'charge.dispute.funds_withdrawn');
      return withdrawn;
    }
    case 'won': {
      const reinstated = withFundsReinstated(call, after, Math.min(returned ?? before.amount, before.amount));
      save(call, reinstated, 'charge.dispute.closed');
      emit(call, reinstated, 'charge.dispute.funds_reinstated');
      return reinstated;
    }
    case 'under_review':
    case 'warning_under_review':
      return save(call, withEvidence(after), 'charge.dispute.updated');
    default:
      return save(call, after, 'charge.dispute.closed');
  }
}

/** Accepts a dispute as lost, as `POST /v1/disputes/:id/close` does. */
export function closeDispute(call: Call, _params: unknown, id: string): DisputeObject {
  const { status } = find(call, 'dispute', id);
  if (!(status in DECISIONS.close)) throw invalidRequest('This dispute is already closed');
  return decideDispute(call, id, 'close');
}

export function listDisputes(call: Call, { charge, payment_intent, ...page }: z.output<typeof listDisputesParams>) {
  const parent = payment_intent ?? (charge && find(call, 'charge', charge, 'charge').payment_intent);
  return listPage(call, 'dispute', page, { parent });
}

/** Returns whether a dispute forbids refunding the charge. */
export function blocksRefunds(call: Call, { disputed, payment_intent }: ChargeObject): boolean {
  if (!disputed) return false;
  const { data } = call.simulation.store.list('dispute', { limit: 100 }, { parent: payment_intent });
  return data.some(({ is_charge_refundable }) => !is_charge_refundable);
}

function withFundsWithdrawn(call: Call, dispute: DisputeObject): DisputeObject {
  const withdrawal = bookDispute(call, dispute);
  return { ...dispute, balance_transactions: [withdrawal], is_charge_refundable: false };
}

function withFundsReinstated(call: Call, dispute: DisputeObject, returned: number): DisputeObject {
  const reversals = dispute.balance_transactions.map((withdrawal) =>
    bookDisputeReversal(call, dispute, withdrawal, returned),
  );
  return {
    ...dispute,
    balance_transactions: [...dispute.balance_transactions, ...reversals],
    is_charge_refundable: true,
  };
}

function withEvidence(dispute: DisputeObject): DisputeObject {
  const { evidence_details } = dispute;
  const submission_count = evidence_details.submission_count + 1;
  return {
    ...dispute,
    evidence_details: { ...evidence_details, has_evidence: true, submission_count, submission_method: 'manual' },
  };
}
