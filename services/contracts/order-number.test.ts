import { describe, expect, it } from 'vitest';
import { sampleEvent } from '../engine/log/sample-events.fixture.ts';
import { streamName } from './ids.ts';
import { oldOrderNumber, orderNumber, orderNumberSchema, readOrderNumber } from './order-number.ts';
import { SCHEMAS, upcast } from './upcast.ts';

describe('order numbers', () => {
  it('ORD8 PRJ2 an order placed before order numbers existed always gets the same number, which is derived from its id', () => {
    expect(oldOrderNumber('a'.repeat(32))).toBe('MC-XANANANA');
    expect(oldOrderNumber('0'.repeat(32))).toBe('MC-X0000000');
    expect(oldOrderNumber('f'.repeat(24))).toBe('MC-XZZZZZZZ');
  });

  it('ORD8 the numbers derived for 1,000 old orders are valid, unique, and unlike any number that a new order gets', () => {
    const ids = Array.from({ length: 1000 }, (_, n) => (n * 7919).toString(16).padStart(32, '0'));
    const old = ids.map(oldOrderNumber);
    expect(new Set(old).size).toBe(ids.length);
    expect(old.filter((number) => !orderNumberSchema.safeParse(number).success)).toEqual([]);
    expect(orderNumberSchema.parse(orderNumber(1001))).toBe('MC-1001');
    expect(old.filter((number) => /^MC-\d/.test(number))).toEqual([]);
  });

  it('ORD8 readOrderNumber() accepts lower case, surrounding spaces and Bengali digits, and rejects malformed numbers', () => {
    for (const typed of ['MC-1042', ' mc-1042\n', 'MC-১০৪২']) expect(readOrderNumber(typed)).toBe('MC-1042');
    for (const typed of ['MC-0042', 'MC-104', '1042', 'MC-1042 MC-1043'])
      expect(readOrderNumber(typed)).toBeUndefined();
  });

  it("ORD8 PRJ2 upcasting gives an order's StockReduced and OrderPlaced events from schema version 1 the same order number", () => {
    const draft = { orderId: 'a'.repeat(32), quantity: 2 };
    const of = (type: string) =>
      upcast(sampleEvent(streamName('order', draft.orderId), 1, { type, data: { draft } }), SCHEMAS);
    for (const event of [of('StockReduced'), of('OrderPlaced')]) {
      expect(event).toMatchObject({ schemaversion: 2, data: { draft: { ...draft, number: 'MC-XANANANA' } } });
    }
  });
});
