import { expect, it } from 'vitest';
import { orderNumber, orderNumberSchema, readOrderNumber } from './order-number.ts';

it('ORD8 readOrderNumber() accepts lower case, surrounding spaces and Bengali digits, and rejects malformed numbers', () => {
  expect(orderNumberSchema.parse(orderNumber(1001))).toBe('MC-1001');
  for (const typed of ['MC-1042', ' mc-1042\n', 'MC-১০৪২']) expect(readOrderNumber(typed)).toBe('MC-1042');
  for (const typed of ['MC-0042', 'MC-104', '1042', 'MC-X0000000', 'MC-1042 MC-1043']) {
    expect(readOrderNumber(typed)).toBeUndefined();
  }
});
