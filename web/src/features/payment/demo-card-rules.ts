/** The card that the shopper entered, with the field names of Stripe's API. */
export interface TypedCard {
  number: string;
  exp_month: number;
  exp_year: number;
  cvc: string;
}

interface CardTexts {
  number: string;
  expiry: string;
  cvc: string;
}
export type CardField = keyof CardTexts;

/** A problem with a field, with Stripe's code and message. `incomplete` means that the shopper may still be typing. */
export interface CardProblem {
  field: CardField;
  code: string;
  message: string;
  incomplete: boolean;
}

const WORDS: Record<string, string> = {
  incomplete_number: 'Your card number is incomplete.',
  invalid_number: 'Your card number is invalid.',
  incomplete_expiry: "Your card's expiration date is incomplete.",
  invalid_expiry_month: "Your card's expiration date is invalid.",
  invalid_expiry_year_past: "Your card's expiration year is in the past.",
  invalid_expiry_month_past: "Your card's expiration date is in the past.",
  invalid_expiry_year: "Your card's expiration year is invalid.",
  incomplete_cvc: "Your card's security code is incomplete.",
};

export const digitsOf = (text: string) => text.replace(/\D/g, '');

const isAmericanExpress = (number: string) => /^3[47]/.test(number);
const numberLength = (number: string) => (isAmericanExpress(number) ? 15 : 16);
const cvcLength = (number: string) => (isAmericanExpress(number) ? 4 : 3);

/** '42424242' -> '4242 4242' */
export function formatNumber(text: string): string {
  const digits = digitsOf(text);
  return digits.slice(0, numberLength(digits)).replace(/(\d{4})(?=\d)/g, '$1 ');
}

/** Formats an expiry date while it is being typed: '1230' -> '12 / 30', '5' -> '05', '12/2030' -> '12 / 30' */
export function formatExpiry(text: string): string {
  const filled = /^\D*(\d{1,2})\s*\/\s*20(\d{1,2})\D*$/.exec(text);
  const typed = filled ? `${filled[1]?.padStart(2, '0')}${filled[2]}` : digitsOf(text);
  const digits = (/^[2-9]/.test(typed) ? `0${typed}` : typed).slice(0, 4);
  return digits.length > 2 ? `${digits.slice(0, 2)} / ${digits.slice(2)}` : digits;
}

export function formatCvc(text: string, number: string): string {
  return digitsOf(text).slice(0, cvcLength(digitsOf(number)));
}

/** Returns every problem with the entered values, in field order. Expiry dates are compared with `today`. */
export function problemsOf(texts: CardTexts, today: Date): CardProblem[] {
  const found = [
    ['number', numberProblem(digitsOf(texts.number))],
    ['expiry', expiryProblem(digitsOf(texts.expiry), today)],
    ['cvc', digitsOf(texts.cvc).length < cvcLength(digitsOf(texts.number)) ? 'incomplete_cvc' : null],
  ] as const;
  return found.flatMap(([field, code]) =>
    code === null ? [] : [{ field, code, message: WORDS[code] ?? '', incomplete: code.startsWith('incomplete') }],
  );
}

/** Converts the entered values into a card. Call this only if `problemsOf` found no problem with these values. */
export function cardOf(texts: CardTexts): TypedCard {
  const expiry = digitsOf(texts.expiry);
  return {
    number: digitsOf(texts.number),
    exp_month: Number(expiry.slice(0, 2)),
    exp_year: 2000 + Number(expiry.slice(2)),
    cvc: digitsOf(texts.cvc),
  };
}

function numberProblem(digits: string): string | null {
  if (digits.length < numberLength(digits)) return 'incomplete_number';
  return passesLuhn(digits) ? null : 'invalid_number';
}

function expiryProblem(digits: string, today: Date): string | null {
  if (digits.length < 4) return 'incomplete_expiry';
  const [month, year] = [Number(digits.slice(0, 2)), 2000 + Number(digits.slice(2))];
  if (month < 1 || month > 12) return 'invalid_expiry_month';
  if (year < today.getFullYear()) return 'invalid_expiry_year_past';
  if (year === today.getFullYear() && month < today.getMonth() + 1) return 'invalid_expiry_month_past';
  return year > today.getFullYear() + 50 ? 'invalid_expiry_year' : null;
}

/** Whether the card number ends in the correct check digit (Luhn algorithm). */
function passesLuhn(number: string): boolean {
  let sum = 0;
  for (const [index, digit] of [...number].reverse().entries()) {
    const doubled = Number(digit) * (index % 2 === 0 ? 1 : 2);
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
