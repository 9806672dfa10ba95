import { type Html, html } from './html.ts';
import type { ShownBalance, ShownCharge, ShownDispute, ShownPayment, ShownRefund } from './simulator-payments.ts';

export const DASHBOARD = '/demo-stripe/dashboard';

/** How a status is shown: in words, with the colour that docs/style.md gives to its meaning. */
interface Shown {
  words: string;
  tone: 'done' | 'failed' | 'warning' | 'plain';
}

const INTENTS: Readonly<Record<string, Shown>> = {
  succeeded: { words: 'Paid', tone: 'done' },
  processing: { words: 'Processing', tone: 'plain' },
  canceled: { words: 'Cancelled', tone: 'plain' },
  requires_action: { words: 'Waiting for the bank', tone: 'plain' },
};
const NOT_PAID: Shown = { words: 'Not paid', tone: 'plain' };
const DECLINED: Shown = { words: 'Declined', tone: 'failed' };

const REFUNDS: Readonly<Record<string, Shown>> = {
  succeeded: { words: 'Refunded', tone: 'done' },
  pending: { words: 'Pending', tone: 'plain' },
  requires_action: { words: 'Waiting for the customer', tone: 'plain' },
  failed: { words: 'Failed', tone: 'failed' },
  canceled: { words: 'Cancelled', tone: 'plain' },
};

const DISPUTES: Readonly<Record<string, Shown>> = {
  warning_needs_response: { words: 'Inquiry needs a response', tone: 'warning' },
  warning_under_review: { words: 'Inquiry under review', tone: 'plain' },
  warning_closed: { words: 'Inquiry closed', tone: 'done' },
  needs_response: { words: 'Needs a response', tone: 'warning' },
  under_review: { words: 'Under review', tone: 'plain' },
  won: { words: 'Won', tone: 'done' },
  lost: { words: 'Lost', tone: 'failed' },
};

const REFUND_REASONS = { requested_by_customer: 'Customer asked', duplicate: 'Duplicate', fraudulent: 'Fraudulent' };
const DISPUTE_REASONS = {
  fraudulent: 'Fraudulent',
  product_not_received: 'Product not received',
  product_unacceptable: 'Product unacceptable',
  credit_not_processed: 'Credit not processed',
  duplicate: 'Duplicate',
  general: 'General',
};
type Decision = readonly [value: string, label: string];
const RESPOND: Decision = ['respond', 'Submit evidence'];
const ENDINGS: readonly Decision[] = [
  ['win', 'Shop wins'],
  ['lose', 'Shop loses'],
];
const INQUIRY_ENDINGS: readonly Decision[] = [
  ['escalate', 'Turn into a dispute'],
  ['close', 'Close inquiry'],
];
const DECISIONS: Readonly<Record<string, readonly Decision[]>> = {
  needs_response: [RESPOND, ...ENDINGS],
  under_review: ENDINGS,
  warning_needs_response: [RESPOND, ...INQUIRY_ENDINGS],
  warning_under_review: INQUIRY_ENDINGS,
};

/** Returns the list of payments. Each payment has a form for each action that its status allows. */
export function paymentList(payments: readonly ShownPayment[], balance: ShownBalance, olderThan: string | null): Html {
  const rest = olderThan && html`<p><a href="${DASHBOARD}?starting_after=${olderThan}">Older payments</a></p>`;
  const empty = html`<p>There are no payments yet. <a href="/">Buy something in the shop</a>, then reload this page.</p>`;
  return html`<dl class="balance">
<div><dt>Available balance</dt><dd>${sum(balance.available)}</dd></div>
<div><dt>Pending balance</dt><dd>${sum(balance.pending)}</dd></div>
</dl>
${payments.length === 0 ? empty : payments.map(paymentItem)}${rest || null}`;
}

function paymentItem({ intent, charges, refunds, disputes }: ShownPayment): Html {
  const charge = charges.find(({ id }) => id === intent.latest_charge);
  const status =
    moneyBackOf(charge, disputes) ?? INTENTS[intent.status] ?? (intent.last_payment_error ? DECLINED : NOT_PAID);
  const { orderId } = intent.metadata;
  return html`<article aria-labelledby="${intent.id}">
<header>
<h2 id="${intent.id}">${amountOf(intent)}</h2>
${chip(status)}
<p class="quiet">${charge ? cardOf(charge) : 'No card yet'} · ${timeOf(intent.created)}</p>
<p class="quiet id">${intent.id}${orderId === undefined ? null : html` · order ${orderId}`}</p>
</header>
${intent.status === 'processing' ? decisions(`payments/${intent.id}`, 'outcome', PROCESSING_OUTCOMES, intent.id) : null}
${refunds.map(refundItem)}
${disputes.map(disputeItem)}
${charge?.paid ? chargeForms(charge, disputes) : null}
</article>`;
}

/** Returns the status of a charge that was refunded or disputed, or null for any other charge. */
function moneyBackOf(charge: ShownCharge | undefined, disputes: readonly ShownDispute[]): Shown | null {
  if (disputes.some(({ status }) => status in DECISIONS)) return { words: 'Disputed', tone: 'warning' };
  if (disputes.some(({ status }) => status === 'lost')) return { words: 'Lost to a dispute', tone: 'failed' };
  if (!charge || charge.amount_refunded === 0) return null;
  return { words: charge.amount_refunded < charge.amount ? 'Partly refunded' : 'Refunded', tone: 'plain' };
}

const PROCESSING_OUTCOMES: readonly Decision[] = [
  ['succeed', 'Let the payment succeed'],
  ['fail', 'Let the payment fail'],
];

function refundItem(refund: ShownRefund): Html {
  const { id, status, created } = refund;
  const choices: readonly Decision[] =
    status === 'pending' || status === 'requires_action'
      ? [
          ['succeeded', 'Let the refund succeed'],
          ['failed', 'Let the refund fail'],
        ]
      : status === 'succeeded'
        ? [['failed', 'Send the refund back']]
        : [];
  return html`<section>
<p class="line" id="${id}"><span class="what">Refund</span> <strong>${amountOf(refund)}</strong> ${chip(REFUNDS[status] ?? NOT_PAID)} <span class="quiet">${timeOf(created)}</span></p>
${decisions(`refunds/${id}`, 'status', choices, id)}
</section>`;
}

function disputeItem(dispute: ShownDispute): Html {
  const { id, status, reason, created } = dispute;
  return html`<section>
<p class="line" id="${id}"><span class="what">Dispute</span> <strong>${amountOf(dispute)}</strong> ${chip(DISPUTES[status] ?? NOT_PAID)} <span class="quiet">${reason.replaceAll('_', ' ')} · ${timeOf(created)}</span></p>
${decisions(`disputes/${id}`, 'decision', DECISIONS[status] ?? [], id)}
</section>`;
}

function chargeForms(charge: ShownCharge, disputes: readonly ShownDispute[]): Html {
  const left = charge.amount - charge.amount_refunded;
  const refundable = left > 0 && disputes.every(({ is_charge_refundable }) => is_charge_refundable);
  const refund = html`<details><summary>Refund</summary>
<form method="post" action="${DASHBOARD}/charges/${charge.id}/refunds">
${amountField(charge, left)}
${reasonField(REFUND_REASONS)}
<button class="danger">Refund this amount</button>
</form></details>`;
  const dispute = html`<details><summary>Dispute</summary>
<form method="post" action="${DASHBOARD}/charges/${charge.id}/disputes">
${amountField(charge, left)}
${reasonField(DISPUTE_REASONS)}
<label class="check"><input type="checkbox" name="inquiry" value="true"> Inquiry only, takes no money</label>
<button class="danger">Dispute this amount</button>
</form></details>`;
  return html`<div class="forms">${refundable ? refund : null}${left > 0 && !charge.disputed ? dispute : null}</div>`;
}

function amountField({ currency }: ShownCharge, most: number): Html {
  const whole = (most / 100).toFixed(2);
  return html`<label>Amount (${currency.toUpperCase()})
<input name="amount" type="number" min="0.01" max="${whole}" step="0.01" value="${whole}" required></label>`;
}

function reasonField(reasons: Readonly<Record<string, string>>): Html {
  const options = Object.entries(reasons).map(([value, label]) => html`<option value="${value}">${label}</option>`);
  return html`<label>Reason <select name="reason">${options}</select></label>`;
}

/** `about` is the id of the element that says what the decision is about. */
function decisions(path: string, name: string, choices: readonly Decision[], about: string): Html | null {
  if (choices.length === 0) return null;
  const buttons = choices.map(
    ([value, label]) => html`<button name="${name}" value="${value}" aria-describedby="${about}">${label}</button>`,
  );
  return html`<form class="decisions" method="post" action="${DASHBOARD}/${path}">${buttons}</form>`;
}

function chip({ words, tone }: Shown): Html {
  return html`<span class="chip ${tone}">${words}</span>`;
}

function cardOf({ payment_method_details: { card } }: ShownCharge): string {
  return `${card.brand === 'visa' ? 'Visa' : 'Mastercard'} •••• ${card.last4}`;
}

function sum(parts: ShownBalance['available']): string {
  return parts.map(amountOf).join(', ');
}

/**
 * Returns an amount for people, such as BDT 1,250.00 or -USD 12.34. Currencies are named by their codes, because the page
 * shows several, and because this page doesn't load the shop's font with the taka sign.
 */
function amountOf({ amount, currency }: { amount: number; currency: string }): string {
  const formatted = new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency,
    currencyDisplay: 'code',
    minimumFractionDigits: 2,
  });
  return formatted.format(amount / 100);
}

/** Returns a time in UTC in the form 23 Nov 2026, 14:05. `at` is in seconds since the epoch. */
function timeOf(at: number): string {
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
  return `${format.format(at * 1000)} UTC`;
}
