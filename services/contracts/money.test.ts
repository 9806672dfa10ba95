import { describe, expect, it } from 'vitest';
import { takaSchema, toPoisha, toTaka, totalTaka } from './money.ts';

describe('money', () => {
  it.each([
    [100_000, 3, 3000],
    [1_250_050, 3, 37_501],
    [199, 1, 1],
    [99, 1, 0],
    [33_333, 3, 999],
  ])('K1 a price of %i poisha times a quantity of %i is %i taka, rounded down', (price, quantity, total) => {
    expect(totalTaka(price, quantity)).toBe(total);
  });

  it('CMD6 every price from 0.01 to 1,000 taka is converted to poisha and back without loss', () => {
    for (let poisha = 1; poisha <= 100_000; poisha += 1) {
      const taka = toTaka(poisha);
      expect(takaSchema.safeParse(taka).success).toBe(true);
      expect(toPoisha(taka)).toBe(poisha);
    }
  });

  it.each([0, -1, 1.005, 0.001, Number.NaN, Number.POSITIVE_INFINITY, 1_000_000])(
    'CMD6 a price of %d taka is refused as invalid',
    (price) => {
      expect(takaSchema.safeParse(price).success).toBe(false);
    },
  );

  it.each([1e-9, 1e-8, 0.0049999999, Number.MIN_VALUE])(
    'CMD6 a price of %d taka is refused because it rounds to 0 poisha',
    (price) => {
      expect(takaSchema.safeParse(price).success).toBe(false);
    },
  );
});
