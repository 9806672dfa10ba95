import { describe, expect, it } from 'vitest';
import { sampleEvent } from '../engine/log/sample-events.fixture.ts';
import { streamName } from './ids.ts';
import { oldOrderNumber, orderNumber, orderNumberSchema } from './order-number.ts';
import { SCHEMAS, upcast } from './upcast.ts';

describe('order numbers', () => {
  it('ORD8 PRJ2 an order from before there were numbers has one made of its id, the same each time', () => {
    expect(oldOrderNumber('a'.repeat(32))).toBe('MC-XANANANA');
    expect(oldOrderNumber('0'.repeat(32))).toBe('MC-X0000000');
    expect(oldOrderNumber('f'.repeat(24))).toBe('MC-XZZZZZZZ');
  });

  it('ORD8 old numbers differ where ids do, are well-formed, and are no new ones', () => {
    const ids = Array.from({ length: 1000 }, (_, n) => (n * 7919).toString(16).padStart(32, '0'));
    const old = ids.map(oldOrderNumber);
    expect(new Set(old).size).toBe(ids.length);
    expect(old.filter((number) => !orderNumberSchema.safeParse(number).success)).toEqual([]);
    expect(orderNumberSchema.parse(orderNumber(1001))).toBe('MC-1001');
    expect(old.filter((number) => /^MC-\d/.test(number))).toEqual([]);
  });

  it('ORD8 PRJ2 a version 1 of the stock taken and of the order placed is read with one and the same number', () => {
    const draft = { orderId: 'a'.repeat(32), quantity: 2 };
    const of = (type: string) =>
      upcast(sampleEvent(streamName('order', draft.orderId), 1, { type, data: { draft } }), SCHEMAS);
    for (const event of [of('StockReduced'), of('OrderPlaced')]) {
      expect(event).toMatchObject({ schemaversion: 2, data: { draft: { ...draft, number: 'MC-XANANANA' } } });
    }
  });
});
