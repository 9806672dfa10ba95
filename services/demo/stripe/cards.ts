import { cardFault, type StripeErrorBody, type StripeFault } from './errors.ts';

export interface Decline {
  code: string;
  decline_code?: string;
  message: string;
  param?: string;
}

const DECLINES = {
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
} as const satisfies Record<string, Decline>;

export type Outcome = 'success' | 'authenticate' | keyof typeof DECLINES;

interface TestCard {
  brand: 'visa' | 'mastercard';
  number: string;
  alias: string;
  outcome: Outcome;
}

/** Any other number is refused. */
const TEST_CARDS: TestCard[] = [
  { brand: 'visa', number: '4242424242424242', alias: 'pm_card_visa', outcome: 'success' },
  { brand: 'mastercard', number: '5555555555554444', alias: 'pm_card_mastercard', outcome: 'success' },
  { brand: 'visa', number: '4000000000000002', alias: 'pm_card_chargeDeclined', outcome: 'generic_decline' },
  {
    brand: 'visa',
    number: '4000000000009995',
    alias: 'pm_card_chargeDeclinedInsufficientFunds',
    outcome: 'insufficient_funds',
  },
  { brand: 'visa', number: '4000000000000069', alias: 'pm_card_chargeDeclinedExpiredCard', outcome: 'expired_card' },
  { brand: 'visa', number: '4000000000000127', alias: 'pm_card_chargeDeclinedIncorrectCvc', outcome: 'incorrect_cvc' },
  {
    brand: 'visa',
    number: '4000000000000119',
    alias: 'pm_card_chargeDeclinedProcessingError',
    outcome: 'processing_error',
  },
  { brand: 'visa', number: '4000000000003220', alias: 'pm_card_threeDSecure2Required', outcome: 'authenticate' },
];

export interface AcceptedCard {
  brand: TestCard['brand'];
  last4: string;
  exp_month: number;
  exp_year: number;
  cvc: boolean;
  outcome: Outcome;
}

export function declineOf(outcome: Exclude<Outcome, 'success' | 'authenticate'>): Decline {
  return DECLINES[outcome];
}

/** For ids such as `pm_card_visa`; valid for three more years. */
export function cardOfAlias(alias: string, now: Date): AcceptedCard | undefined {
  const card = TEST_CARDS.find((one) => one.alias === alias);
  return card && accepted(card, now.getUTCMonth() + 1, now.getUTCFullYear() + 3, true);
}

/** @throws a card error for anything but a test card that has not expired */
export function acceptCard(
  given: { number: string; exp_month: number; exp_year: number; cvc?: string | undefined },
  now: Date,
): AcceptedCard {
  const number = given.number.replace(/[ -]/g, '');
  if (!/^[0-9]{12,19}$/.test(number) || !passesLuhn(number)) {
    throw refusal('incorrect_number', 'Your card number is incorrect.', 'number');
  }
  const year = given.exp_year < 100 ? 2000 + given.exp_year : given.exp_year;
  const [thisYear, thisMonth] = [now.getUTCFullYear(), now.getUTCMonth() + 1];
  if (given.exp_month < 1 || given.exp_month > 12 || (year === thisYear && given.exp_month < thisMonth)) {
    throw refusal('invalid_expiry_month', "Your card's expiration month is invalid.", 'exp_month');
  }
  if (year < thisYear || year > thisYear + 50) {
    throw refusal('invalid_expiry_year', "Your card's expiration year is invalid.", 'exp_year');
  }
  if (given.cvc !== undefined && !/^[0-9]{3}$/.test(given.cvc)) {
    throw refusal('invalid_cvc', "Your card's security code is invalid.", 'cvc');
  }
  const card = TEST_CARDS.find((one) => one.number === number);
  if (!card) throw notATestCard();
  return accepted(card, given.exp_month, year, given.cvc !== undefined);
}

function accepted(card: TestCard, month: number, year: number, cvc: boolean): AcceptedCard {
  const { brand, number, outcome } = card;
  return { brand, last4: number.slice(-4), exp_month: month, exp_year: year, cvc, outcome };
}

function refusal(code: string, message: string, param: string): StripeFault {
  return cardFault({ code, message, param });
}

function notATestCard(): StripeFault {
  const error: Omit<StripeErrorBody, 'type'> = {
    code: 'card_declined',
    decline_code: 'test_mode_live_card',
    message: 'Your card was declined. Your request was in test mode, but used a non test (live) card.',
    param: 'number',
  };
  return cardFault(error);
}

function passesLuhn(number: string): boolean {
  let sum = 0;
  for (const [index, digit] of [...number].reverse().entries()) {
    const doubled = Number(digit) * (index % 2 === 0 ? 1 : 2);
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
