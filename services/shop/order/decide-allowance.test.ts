import { describe, expect, it } from 'vitest';
import type { DomainEvent } from '../../contracts/events.ts';
import { decisionsOf } from '../given-when-then.fixture.ts';
import { CHANGE_PACE, PLACEMENT_PACE, REVIEW_PACE, type TakeHold } from './allowance.ts';
import { allowanceDecider } from './decide-allowance.ts';

const BEGIN = Date.parse('2026-01-01T00:00:00.000Z');
const at = (ms: number) => new Date(BEGIN + ms).toISOString();
const id = (n: number) => n.toString(16).padStart(32, '0');
const PRODUCT = 'b'.repeat(32);
const DAY = 86_400_000;
const HALF_HOUR = 1_800_000;

function take(n: number, change: Partial<TakeHold> = {}): TakeHold {
  return {
    type: 'TakeHold',
    holdId: `hold-${n}`,
    orderId: id(n),
    productId: PRODUCT,
    quantity: 1,
    offered: 100,
    minorder: 1,
    maxUnpaid: 10,
    emailVerified: true,
    ended: [],
    placedAt: at(0),
    expiresAt: at(DAY),
    ...change,
  };
}

function placed(n: number, change: Partial<TakeHold> = {}): DomainEvent {
  const { holdId, orderId, productId, quantity, placedAt, expiresAt } = take(n, change);
  return { type: 'HoldPlaced', data: { holdId, orderId, productId, quantity, placedAt, expiresAt } };
}
const released = (...ns: number[]): DomainEvent => ({
  type: 'HoldsReleased',
  data: { holdIds: ns.map((n) => `hold-${n}`) },
});
const many = (count: number) => Array.from({ length: count }, (_, n) => placed(n));
const { given } = decisionsOf(allowanceDecider);

function endOf(history: readonly DomainEvent[], command: TakeHold): string {
  const outcome = given(...history).when(command);
  const hold = 'events' in outcome ? outcome.events.find((event) => event.type === 'HoldPlaced') : undefined;
  if (!hold) throw new Error(JSON.stringify(outcome));
  return hold.data.expiresAt;
}

describe("a customer's allowance", () => {
  it('ORD7 an order is refused if the customer already has the maximum number of unpaid orders', () => {
    expect(given(...many(9)).when(take(9))).toEqual({ events: [placed(9)] });
    expect(given(...many(10)).when(take(10))).toEqual({ refused: { code: 'too_many_unpaid_orders', most: 10 } });
    expect(given(...many(10), released(3)).when(take(10))).toEqual({ events: [placed(10)] });
  });

  it("ORD7 a customer with an unverified e-mail address may have at most 3 unpaid orders, or fewer if the shop's limit is lower", () => {
    expect(given(...many(3)).when(take(3, { emailVerified: false }))).toEqual({
      refused: { code: 'too_many_unpaid_orders', most: 3 },
    });
    expect(given(...many(2)).when(take(2, { emailVerified: false, maxUnpaid: 2 }))).toEqual({
      refused: { code: 'too_many_unpaid_orders', most: 2 },
    });
  });

  it('ORD7 a commit that takes a hold also releases holds that have ended, and repeated attempts to place one order count as one unpaid order', () => {
    expect(given(...many(10)).when(take(10, { ended: ['hold-2', 'hold-7', 'unknown'] }))).toEqual({
      events: [released(2, 7), placed(10)],
    });
    const again = { holdId: 'again' };
    expect(given(...many(10)).when(take(9, again))).toEqual({ events: [placed(9, again)] });
    expect(given(...many(9), placed(8, again)).when(take(9))).toEqual({ events: [placed(9)] });
  });

  it('ORD7 if several attempts to place an order have each taken a hold, releasing one hold leaves the others in place', () => {
    const both = [placed(1), placed(1, { holdId: 'again' })];
    expect(given(...both).when({ type: 'ReleaseHold', holdId: 'again' })).toEqual({
      events: [{ type: 'HoldsReleased', data: { holdIds: ['again'] } }],
    });
    expect(given(placed(1), released(1)).when({ type: 'ReleaseHold', holdId: 'hold-1' })).toEqual({ events: [] });
  });

  it('ORD7 after a burst of orders, a customer can place only one order per interval', () => {
    const burst = Array.from({ length: PLACEMENT_PACE.burst }, (_, n) => [placed(n), released(n)]).flat();
    const { everyMs } = PLACEMENT_PACE;
    const next = (ms: number) => given(...burst).when(take(99, { placedAt: at(ms) }));
    expect(next(0)).toEqual({ refused: { code: 'orders_too_fast', retryAfterMs: everyMs } });
    expect(next(everyMs - 1)).toEqual({ refused: { code: 'orders_too_fast', retryAfterMs: 1 } });
    const tries = Array.from({ length: 64 }, (_, n) => placed(1, { holdId: `try-${n}` }));
    expect(given(...tries).when(take(1))).toEqual({ events: [placed(1)] });
    expect(given(...tries).when(take(2))).toEqual({ events: [placed(2)] });
    expect(next(everyMs)).toEqual({ events: [placed(99, { placedAt: at(everyMs) })] });
    const unpaid = given(...many(PLACEMENT_PACE.burst)).when(take(99, { maxUnpaid: 1_000 }));
    expect(unpaid).toEqual({ refused: { code: 'orders_too_fast', retryAfterMs: everyMs } });
  });
});

describe("a customer's reviews", () => {
  const count = (n: number, ms = 0) => ({ type: 'CountReview' as const, reviewId: id(n), at: at(ms) });
  const counted = (n: number, ms = 0): DomainEvent => ({
    type: 'ReviewCounted',
    data: { reviewId: id(n), at: at(ms) },
  });

  it('REV1 after a burst of reviews, a customer can post only one review per interval', () => {
    const burst = Array.from({ length: REVIEW_PACE.burst }, (_, n) => counted(n));
    const { everyMs } = REVIEW_PACE;
    expect(given(...burst).when(count(99))).toEqual({ refused: { code: 'reviews_too_fast', retryAfterMs: everyMs } });
    expect(given(...burst).when(count(99, everyMs))).toEqual({ events: [counted(99, everyMs)] });
    expect(given(...burst).when(take(1))).toEqual({ events: [placed(1)] });
  });

  it('CMD3 a review is counted once per idempotency key, and reusing the key for another review is refused', () => {
    expect(given(counted(1)).when(count(1, 5), [counted(1)])).toEqual({ events: [] });
    expect(given(counted(1)).when(count(2), [counted(1)])).toEqual({ refused: { code: 'idempotency_key_reused' } });
  });
});

describe("the rate limit on one person's changes", () => {
  const count = (ms = 0) => ({ type: 'CountChange' as const, at: at(ms) });
  const counted = (ms = 0): DomainEvent => ({ type: 'ChangeCounted', data: { at: at(ms) } });

  it('CMD8 after a burst of changes to orders and the profile, a customer can make only one change per interval, but can still place orders', () => {
    const burst = Array.from({ length: CHANGE_PACE.burst }, () => counted());
    const { everyMs } = CHANGE_PACE;
    expect(given(...burst).when(count())).toEqual({ refused: { code: 'changes_too_fast', retryAfterMs: everyMs } });
    expect(given(...burst).when(count(everyMs))).toEqual({ events: [counted(everyMs)] });
    expect(given(...burst).when(take(1))).toEqual({ events: [placed(1)] });
    expect(given(counted()).when(count(5), [counted()])).toEqual({ events: [] });
  });
});

describe('how long a hold lasts', () => {
  it("ORD6 a hold lasts as long as the shop allows, but at most half an hour if the customer's e-mail address is unverified", () => {
    expect(endOf([], take(1))).toBe(at(DAY));
    expect(endOf([], take(1, { emailVerified: false }))).toBe(at(HALF_HOUR));
    expect(endOf([], take(1, { emailVerified: false, expiresAt: at(60_000) }))).toBe(at(60_000));
  });

  it("ORD6 a hold lasts only half an hour if it would give the customer more than half of a product's stock", () => {
    expect(endOf([], take(1, { quantity: 50 }))).toBe(at(DAY));
    expect(endOf([], take(1, { quantity: 51 }))).toBe(at(HALF_HOUR));
    const held = placed(1, { quantity: 30 });
    expect(endOf([held], take(2, { quantity: 20 }))).toBe(at(DAY));
    expect(endOf([held], take(2, { quantity: 21 }))).toBe(at(HALF_HOUR));
    expect(endOf([placed(1, { quantity: 30, productId: 'd'.repeat(32) })], take(2, { quantity: 50 }))).toBe(at(DAY));
    expect(endOf([held], take(2, { quantity: 50, ended: ['hold-1'] }))).toBe(at(DAY));
  });

  it("ORD6 a customer's only hold on a product is not shortened if it is for the minimum order, even if that is most of the stock", () => {
    expect(endOf([], take(1, { offered: 1 }))).toBe(at(DAY));
    expect(endOf([], take(1, { offered: 6, minorder: 5, quantity: 5 }))).toBe(at(DAY));
    expect(endOf([placed(1)], take(2, { offered: 2 }))).toBe(at(HALF_HOUR));
  });
});
