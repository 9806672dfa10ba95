import { expect, it } from 'vitest';
import { phoneSchema } from './phone.ts';

it.each([
  ['01711000000', '01711000000'],
  ['+880 1711-000000', '8801711000000'],
  [' (02) 9551-234 ', '029551234'],
  ['+880.1711/000 000', '8801711000000'],
  ['999', '999'],
  ['০১৭১১-০০০০০০', '01711000000'],
  ['＋８８０ １７１１', '8801711'],
])('P1 a phone number entered as %j is stored as %s', (written, kept) => {
  expect(phoneSchema.parse(written)).toBe(kept);
});

it.each(['', '+', '12', '1234567890123456', 'call me', '01711 000000 ext. 5', '0171+1000000', '12345e6'])(
  'P1 the phone number %j is refused, and the error states how many digits are allowed',
  (written) => {
    const { error } = phoneSchema.safeParse(written);
    expect(error?.issues.map(({ message }) => message)).toEqual(['A phone number has 3 to 15 digits.']);
  },
);
