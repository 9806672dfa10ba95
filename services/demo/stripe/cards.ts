import { createHash } from 'node:crypto';
import type { DisputeParams } from './dispute-params.ts';
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

/** `processing_` outcomes first leave the payment processing. */
export type Outcome =
  | 'success'
  | 'authenticate'
  | 'processing_then_succeed'
  | 'processing_then_fail'
  | keyof typeof DECLINES;

interface TestCard {
  number: string;
  alias: string;
  outcome: Outcome;
  /** what the bank does some time after a payment or a refund */
  afterwards?: Afterwards;
}

interface Afterwards {
  dispute?: DisputeParams;
  /** the status of a refund at first, and its status later */
  refund?: { first: 'pending' | 'succeeded'; later: 'succeeded' | 'failed' };
}

/**
 * The only cards that are accepted. No two of them end in the same four digits, so `last4` identifies a card. They are
 * Stripe's own test cards, except for the two that leave a payment processing: Stripe has bank debits for that.
 */
const TEST_CARDS: TestCard[] = [
  { number: '4242424242424242', alias: 'pm_card_visa', outcome: 'success' },
  { number: '5555555555554444', alias: 'pm_card_mastercard', outcome: 'success' },
  { number: '4000000000000002', alias: 'pm_card_chargeDeclined', outcome: 'generic_decline' },
  { number: '4000000000009995', alias: 'pm_card_chargeDeclinedInsufficientFunds', outcome: 'insufficient_funds' },
  { number: '4000000000000069', alias: 'pm_card_chargeDeclinedExpiredCard', outcome: 'expired_card' },
  { number: '4000000000000127', alias: 'pm_card_chargeDeclinedIncorrectCvc', outcome: 'incorrect_cvc' },
  { number: '4000000000000119', alias: 'pm_card_chargeDeclinedProcessingError', outcome: 'processing_error' },
  { number: '4000000000003220', alias: 'pm_card_threeDSecure2Required', outcome: 'authenticate' },
  { number: '4000000000007015', alias: 'pm_card_processingThenSucceeds', outcome: 'processing_then_succeed' },
  { number: '4000000000007023', alias: 'pm_card_processingThenFails', outcome: 'processing_then_fail' },
  {
    number: '4000000000007726',
    alias: 'pm_card_pendingRefund',
    outcome: 'success',
    afterwards: { refund: { first: 'pending', later: 'succeeded' } },
  },
  {
    number: '4000000000005126',
    alias: 'pm_card_refundFail',
    outcome: 'success',
    afterwards: { refund: { first: 'succeeded', later: 'failed' } },
  },
  {
    number: '4000000000000259',
    alias: 'pm_card_createDispute',
    outcome: 'success',
    afterwards: { dispute: { reason: 'fraudulent' } },
  },
  {
    number: '4000000000002685',
    alias: 'pm_card_createDisputeProductNotReceived',
    outcome: 'success',
    afterwards: { dispute: { reason: 'product_not_received' } },
  },
  {
    number: '4000000000001976',
    alias: 'pm_card_createDisputeInquiry',
    outcome: 'success',
    afterwards: { dispute: { reason: 'general', inquiry: true } },
  },
];

type LastDigits = Pick<CardObject, 'last4'>;

/** Returns the outcome of a payment with this card. */
export function outcomeOf(card: LastDigits): Outcome {
  return testCard(card).outcome;
}

/** Returns what the bank does some time after a payment with this card, or after its refund. */
export function afterwardsOf(card: LastDigits): Afterwards {
  return testCard(card).afterwards ?? {};
}

function testCard({ last4 }: LastDigits): TestCard {
  const card = TEST_CARDS.find(({ number }) => number.endsWith(last4));
  if (!card) throw new Error(`No test card ends in ${last4}.`);
  return card;
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
