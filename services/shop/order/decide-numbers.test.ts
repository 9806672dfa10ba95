import { describe, expect, it } from 'vitest';
import { decisionsOf } from '../given-when-then.fixture.ts';
import { numbersDecider } from './decide-numbers.ts';

const { given } = decisionsOf(numbersDecider);

describe('reserving order numbers', () => {
  it('ORD8 the first block of order numbers starts at 1001', () => {
    expect(given().when({ type: 'ReserveNumbers', count: 50 })).toEqual({
      events: [{ type: 'OrderNumbersReserved', data: { first: 1001, count: 50 } }],
    });
  });

  it('ORD8 each block of order numbers starts right after the previous block', () => {
    const reserved = given(
      { type: 'OrderNumbersReserved', data: { first: 1001, count: 50 } },
      { type: 'OrderNumbersReserved', data: { first: 1051, count: 700 } },
    );
    expect(reserved.when({ type: 'ReserveNumbers', count: 2 })).toEqual({
      events: [{ type: 'OrderNumbersReserved', data: { first: 1751, count: 2 } }],
    });
  });
});
