import type { LedgerRow } from '@micro-center/services/contracts/ledger/ledger.ts';
import { formatAmounts } from './money-format.ts';

type Difference = LedgerRow['causes'][number];

const NOUNS: Record<Difference['movement'], string> = {
  charge: 'payment',
  charge_failure: 'payment that a bank took back',
  refund: 'refund',
  refund_failure: 'failed refund',
  dispute: 'dispute',
  dispute_reversal: 'won dispute',
  other: 'movement of another kind',
};

/** Whether a movement takes money from the shop. The amounts of such a movement are negative. */
const TAKES = new Set<Difference['movement']>(['refund', 'dispute', 'charge_failure']);

/** What to do next about an order that doesn't match. */
const NEXT = 'Open the payment in Stripe.';

/** Says why the two sides of an order differ, for one movement of its money. */
export function causeText({ cause, movement, difference }: Difference): string {
  const noun = NOUNS[movement];
  const [[currency, amount] = ['', 0]] = Object.entries(difference);
  const sum = formatAmounts({ [currency]: Math.abs(amount) }).join('');
  const isOne = Object.keys(difference).length === 1;
  const of = isOne ? ` of ${sum}` : '';
  const stripeHasMore = TAKES.has(movement) ? amount > 0 : amount < 0;
  switch (cause) {
    case 'not_recorded':
      return `Stripe has a ${noun}${of} that the order doesn't know.`;
    case 'not_stated':
      return `The order has a ${noun}${of} that Stripe hasn't stated.`;
    case 'doubled':
      if (!isOne) return `Stripe and the order have this ${noun} a different number of times.`;
      return `${stripeHasMore ? 'Stripe' : 'The order'} has a ${noun} more than once, ${sum} too much.`;
    case 'altered':
      if (!isOne) return `Stripe and the order have a ${noun} in different currencies.`;
      return `Stripe has ${sum} ${stripeHasMore ? 'more' : 'less'} for a ${noun} than the order.`;
  }
}

/** Says in plain words whether the two sides of a row agree. If they don't, says why and what to do next. */
export function stateText(row: LedgerRow): string {
  const { state, causes, namedOrder, note } = row;
  switch (state) {
    case 'matched':
      return row.order === null ? 'Nothing is left of it.' : 'Matches';
    case 'pending':
      return "Stripe hasn't stated this yet.";
    case 'before':
      return 'Before the ledger: Stripe no longer holds it.';
    case 'aside':
      return `Set aside: ${note}`;
    case 'unmatched': {
      const whose = namedOrder ? `order ${short(namedOrder)}, which this shop doesn't have` : 'no order for this money';
      return `Stripe names ${whose}. Refund it in Stripe, or note what it is.`;
    }
    case 'open': {
      const [first, ...others] = causes;
      const more = others.length === 0 ? '' : ` ${others.length} more ${others.length === 1 ? 'reason' : 'reasons'}.`;
      return first ? `${causeText(first)}${more} ${NEXT}` : NEXT;
    }
  }
}

/** Returns the first characters of an id. The whole id doesn't fit into a row. */
const short = (id: string): string => (id.length > 10 ? `${id.slice(0, 8)}…` : id);

/** Whether an admin has something to do about a row. */
export const needsAttention = ({ state }: LedgerRow): boolean => state === 'open' || state === 'unmatched';
