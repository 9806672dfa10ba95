import fc from 'fast-check';
import { describe, it } from 'vitest';
import { expectToFollow, type Model } from '../follow-model.fixture.ts';
import type { AllowanceCommand, TakeHold } from './allowance.ts';
import { allowanceDecider } from './decide-allowance.ts';

const [BEGIN, SECOND, HALF_HOUR, DAY] = [Date.parse('2026-01-01T00:00:00.000Z'), 1_000, 1_800_000, 86_400_000];
const at = (ms: number) => new Date(BEGIN + ms).toISOString();
const id = (n: number) => n.toString(16).padStart(32, '0');
/** The number of idempotency keys for reviews. It's small, so a key is often reused for another review. */
const KEYS = 20;

describe('an allowance', () => {
  const moment = fc.constantFrom(0, 0, 0, SECOND, 5 * SECOND).map(at);
  const mostly = <T>(usual: T, rarely: T) =>
    fc.oneof({ weight: 9, arbitrary: fc.constant(usual) }, fc.constant(rarely));
  const holdId = fc.nat(80).map((n) => `hold-${n}`);
  const commands: fc.Arbitrary<AllowanceCommand> = fc.oneof(
    {
      weight: 12,
      arbitrary: fc
        .record({
          holdId,
          orderId: fc.oneof(fc.nat(2_000), fc.nat(9)).map(id),
          productId: fc.constantFrom(id(1), id(2)),
          quantity: fc.integer({ min: 1, max: 6 }),
          offered: fc.integer({ min: 1, max: 40 }),
          minorder: fc.constantFrom(1, 3),
          maxUnpaid: mostly(100, 5),
          emailVerified: mostly(true, false),
          ended: fc.array(holdId, { maxLength: 3 }),
          placedAt: moment,
        })
        .map((taken): AllowanceCommand => ({ type: 'TakeHold', ...taken, expiresAt: at(DAY) })),
    },
    holdId.map((released): AllowanceCommand => ({ type: 'ReleaseHold', holdId: released })),
    {
      weight: 4,
      arbitrary: fc
        .record({ reviewId: fc.constantFrom(id(1), id(2)), at: moment })
        .map((counted): AllowanceCommand => ({ type: 'CountReview', ...counted })),
    },
    { weight: 8, arbitrary: moment.map((now): AllowanceCommand => ({ type: 'CountChange', at: now })) },
  );

  type Held = Pick<TakeHold, 'holdId' | 'orderId' | 'productId' | 'quantity' | 'expiresAt'>;
  type Seen = { holds: Held[]; restedAt: number; reviewsRestedAt: number; changesRestedAt: number };
  function modelOfAllowance(): Model<AllowanceCommand, Seen> {
    let holds: Held[] = [];
    let [restedAt, reviewsRestedAt, changesRestedAt] = [0, 0, 0];
    const counted = new Map<string, string>();

    function endOf(taken: TakeHold, others: Held[]): string {
      const orders = new Map(others.map((hold) => [hold.orderId, hold]));
      let held = taken.quantity;
      for (const hold of orders.values()) if (hold.productId === taken.productId) held += hold.quantity;
      const much = held * 2 > taken.offered && held > taken.minorder;
      return taken.emailVerified && !much ? at(DAY) : at(Date.parse(taken.placedAt) - BEGIN + HALF_HOUR);
    }
    return {
      seen: () => ({ holds: [...holds], restedAt, reviewsRestedAt, changesRestedAt }),
      step(command, { cause, repeated }) {
        switch (command.type) {
          case 'TakeHold': {
            const now = Date.parse(command.placedAt);
            const known = holds.some(({ orderId }) => orderId === command.orderId);
            const kept = holds.filter((hold) => !command.ended.includes(hold.holdId));
            const others = kept.filter(({ orderId }) => orderId !== command.orderId);
            const most = command.emailVerified ? command.maxUnpaid : Math.min(3, command.maxUnpaid);
            if (new Set(others.map(({ orderId }) => orderId)).size >= most) return 'too_many_unpaid_orders';
            // A customer may place 30 orders at once and then one every 5 s. Each order postpones the time when the
            // full burst is available again by 5 s. An order is refused if that time is more than 29 × 5 s away.
            if (!known && restedAt > now + 29 * 5 * SECOND) return 'orders_too_fast';
            const { holdId: own, orderId, productId, quantity } = command;
            const again = kept.some((hold) => hold.orderId === orderId);
            if (!again) restedAt = Math.max(restedAt, now) + 5 * SECOND;
            const released = kept.length < holds.length;
            holds = [...kept, { holdId: own, orderId, productId, quantity, expiresAt: endOf(command, others) }];
            return released ? ['HoldsReleased', 'HoldPlaced'] : ['HoldPlaced'];
          }
          case 'ReleaseHold': {
            const kept = holds.filter((hold) => hold.holdId !== command.holdId);
            const released = kept.length < holds.length;
            holds = kept;
            return released ? ['HoldsReleased'] : [];
          }
          case 'CountReview': {
            if (repeated) return counted.get(cause) === command.reviewId ? [] : 'idempotency_key_reused';
            const now = Date.parse(command.at);
            if (reviewsRestedAt > now + 9 * 60 * SECOND) return 'reviews_too_fast';
            reviewsRestedAt = Math.max(reviewsRestedAt, now) + 60 * SECOND;
            counted.set(cause, command.reviewId);
            return ['ReviewCounted'];
          }
          case 'CountChange': {
            if (repeated) return [];
            const now = Date.parse(command.at);
            if (changesRestedAt > now + 19 * 30 * SECOND) return 'changes_too_fast';
            changesRestedAt = Math.max(changesRestedAt, now) + 30 * SECOND;
            return ['ChangeCounted'];
          }
        }
      },
    };
  }

  it('ORD6 ORD7 REV1 CMD3 CMD8 an allowance behaves like its reference model for any sequence of commands', () => {
    expectToFollow(allowanceDecider, {
      commands,
      causeOf: (command, index) => (command.type === 'CountReview' ? `review:${index % KEYS}` : `c:${index}`),
      model: modelOfAllowance,
      seenOf: ({ holds, restedAt, reviewsRestedAt, changesRestedAt }) => ({
        holds: holds.map(({ placedAt: _, ...hold }) => hold),
        restedAt,
        reviewsRestedAt,
        changesRestedAt,
      }),
    });
  });
});
