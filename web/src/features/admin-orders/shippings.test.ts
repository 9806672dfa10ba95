import { describe, expect, it } from 'vitest';
import { paidOrder as paid } from '../../shop/orders/order.fixture.ts';
import { answered, began, changed, type Line, NO_SHIPPINGS, newestLines, nextUndo, undone } from './shippings.ts';

const shippedLine = (n: number, changes: Partial<Extract<Line, { shipment: unknown }>> = {}): Line => ({
  order: paid(n),
  state: 'shipped',
  version: 4,
  shipment: null,
  ...changes,
});

/** Returns `before` with one more `Shipping`, which ships order `n` and is still being sent. */
const sending = (before: typeof NO_SHIPPINGS, n: number, key = `${n}`) => {
  const lines: Line[] = [{ order: paid(n), state: 'sending' }];
  return began(before, { key, state: 'sending', lines, at: 0 });
};
const stateOf = ({ all }: typeof NO_SHIPPINGS, key: string) => all.find((one) => one.key === key)?.state;

describe('the shipments made from the board', () => {
  it('W9 if shipping an order is retried after a refusal, the order’s row shows the newest attempt', () => {
    const refused: Line = { order: paid(1), state: 'refused', reason: 'This order has changed.' };
    let shippings = answered(sending(NO_SHIPPINGS, 1), '1', [refused], 1_000);
    expect(newestLines(shippings.all).get(paid(1)._id)).toBe(refused);
    shippings = sending(shippings, 1, 'again');
    expect(newestLines(shippings.all).get(paid(1)._id)?.state).toBe('sending');
  });

  it('W8 a shipment whose undo is pending stays in the undoing state when the response to the shipment arrives', () => {
    const undoing = changed(sending(NO_SHIPPINGS, 1), '1', { state: 'undoing' });
    expect(stateOf(answered(undoing, '1', [shippedLine(1)], 1_000), '1')).toBe('undoing');
  });

  it('W8 undo targets the newest shipment that is still being sent or got its response less than 30 s ago', () => {
    const first = answered(sending(NO_SHIPPINGS, 1), '1', [shippedLine(1)], 1_000);
    const both = answered(sending(first, 2), '2', [shippedLine(2)], 5_000);
    expect(nextUndo(both, 30_999)?.key).toBe('2');
    expect(nextUndo(changed(both, '2', { state: 'undoing' }), 30_999)?.key).toBe('1');
    expect(nextUndo(changed(both, '2', { state: 'undoing' }), 31_000)).toBeUndefined();
    expect(nextUndo(sending(both, 3), 99_000)?.key).toBe('3');
  });

  it('W8 undoing an older shipment switches the notice to that shipment only if the undo fails', () => {
    const first = answered(sending(NO_SHIPPINGS, 1), '1', [shippedLine(1)], 1_000);
    const both = answered(sending(first, 2), '2', [shippedLine(2)], 5_000);
    expect(both.shown).toBe('2');
    expect(undone(both, '1', [shippedLine(1, { state: 'withdrawn' })]).shown).toBe('2');
    expect(undone(both, '1', [shippedLine(1, { state: 'kept', reason: 'It is final.' })]).shown).toBe('1');
  });
});
