import { createHash } from 'node:crypto';
import { cardFault } from './errors.ts';
import type { CardObject } from './objects.ts';

export const DECLINES = {
  generic_decline: { code: 'card_declined', decline_code: 'generic_decline', message: 'Your card was declined.' },
  insufficient_funds: {
    code: 'card_declined',
    decline_code: 'insufficient_funds',
    message: 'Your card has insufficient funds.',
  },
  expired_card: { code: 'expired_card', message: 'Your card has expired.', param: 'exp_month' },
  incorrect_cvc: { code: 'incorrect_cvc', message: "Your card's security code is incorrect.", param: 'cvc' },
  processing_error: {
    code: 'processing_error',
    message: 'An error occurred while processing your card. Try again in a little bit.',
  },
} as const;

export type Outcome = 'success' | 'authenticate' | keyof typeof DECLINES;

interface TestCard {
  number: string;
  alias: string;
  outcome: Outcome;
}

/** The only cards that are accepted. No two of them end in the same four digits, so `last4` identifies a card. */
const TEST_CARDS: TestCard[] = [
  { number: '4242424242424242', alias: 'pm_card_visa', outcome: 'success' },
  { number: '5555555555554444', alias: 'pm_card_mastercard', outcome: 'success' },
  { number: '4000000000000002', alias: 'pm_card_chargeDeclined', outcome: 'generic_decline' },
  { number: '4000000000009995', alias: 'pm_card_chargeDeclinedInsufficientFunds', outcome: 'insufficient_funds' },
  { number: '4000000000000069', alias: 'pm_card_chargeDeclinedExpiredCard', outcome: 'expired_card' },
  { number: '4000000000000127', alias: 'pm_card_chargeDeclinedIncorrectCvc', outcome: 'incorrect_cvc' },
  { number: '4000000000000119', alias: 'pm_card_chargeDeclinedProcessingError', outcome: 'processing_error' },
  { number: '4000000000003220', alias: 'pm_card_threeDSecure2Required', outcome: 'authenticate' },
];

/** Returns the outcome of a payment with this card. */
export function outcomeOf({ last4 }: CardObject): Outcome {
  const card = TEST_CARDS.find(({ number }) => number.endsWith(last4));
  if (!card) throw new Error(`No test card ends in ${last4}.`);
  return card.outcome;
}

/**
 * Returns the test card for an alias such as `pm_card_visa`, or undefined if no test card has the alias. The returned
 * card is valid for three years.
 */
export function cardOfAlias(alias: string, now: Date): CardObject | undefined {
  const card = TEST_CARDS.find((one) => one.alias === alias);
  return card && cardObject(card.number, now.getUTCMonth() + 1, now.getUTCFullYear() + 3, 'unchecked');
}

/** Validates a card and returns it without its number. @throws a card error unless it's a valid test card that hasn't expired */
export function acceptCard(
  given: { number: string; exp_month: number; exp_year: number; cvc?: string | undefined },
  now: Date,
): CardObject {
  const number = given.number.replace(/[ -]/g, '');
  if (!/^[0-9]{12,19}$/.test(number) || !passesLuhn(number)) {
    throw cardFault('Your card number is incorrect.', { code: 'incorrect_number', param: 'number' });
  }
  const year = given.exp_year < 100 ? 2000 + given.exp_year : given.exp_year;
  const [thisYear, thisMonth] = [now.getUTCFullYear(), now.getUTCMonth() + 1];
  if (given.exp_month < 1 || given.exp_month > 12 || (year === thisYear && given.exp_month < thisMonth)) {
    throw cardFault("Your card's expiration month is invalid.", { code: 'invalid_expiry_month', param: 'exp_month' });
  }
  if (year < thisYear || year > thisYear + 50) {
    throw cardFault("Your card's expiration year is invalid.", { code: 'invalid_expiry_year', param: 'exp_year' });
  }
  if (given.cvc !== undefined && !/^[0-9]{3}$/.test(given.cvc)) {
    throw cardFault("Your card's security code is invalid.", { code: 'invalid_cvc', param: 'cvc' });
  }
  if (!TEST_CARDS.some((card) => card.number === number)) {
    const message = 'Your card was declined. Your request was in test mode, but used a non test (live) card.';
    throw cardFault(message, { code: 'card_declined', decline_code: 'test_mode_live_card', param: 'number' });
  }
  return cardObject(number, given.exp_month, year, given.cvc === undefined ? null : 'unchecked');
}

function cardObject(number: string, exp_month: number, exp_year: number, cvc_check: string | null): CardObject {
  const brand = number.startsWith('4') ? 'visa' : 'mastercard';
  const last4 = number.slice(-4);
  return {
    brand,
    checks: { address_line1_check: null, address_postal_code_check: null, cvc_check },
    country: 'US',
    display_brand: brand,
    exp_month,
    exp_year,
    fingerprint: createHash('sha256').update(`${brand} ${last4}`).digest('hex').slice(0, 16),
    funding: 'credit',
    last4,
    three_d_secure_usage: { supported: true },
    wallet: null,
  };
}

function passesLuhn(number: string): boolean {
  let sum = 0;
  for (const [index, digit] of [...number].reverse().entries()) {
    const doubled = Number(digit) * (index % 2 === 0 ? 1 : 2);
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
