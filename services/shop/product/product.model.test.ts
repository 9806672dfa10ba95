import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DomainEvent } from '../../contracts/events.ts';
import { expectToFollow, type Model } from '../follow-model.fixture.ts';
import { productDecider } from './decide-product.ts';
import type { ProductCommand } from './product.ts';
import { TOWER_ONE } from './tower-one.fixture.ts';

const hex = (digit: string) => digit.repeat(32);
const delivery = { name: 'Rumi', email: 'rumi@micro-center.test', phone: '01700000000', address: 'Dhaka' };

describe('a product', () => {
  const details = { ...TOWER_ONE, name: 'Tower', price: 50_000_000, minorder: 2 };
  const few = fc.integer({ min: 0, max: 6 });
  const order = fc.constantFrom(hex('1'), hex('2'), hex('3'), hex('4'));
  const times = { placedAt: '2026-01-01T00:00:00.000Z', expiresAt: '2026-01-02T00:00:00.000Z' };
  const commands: fc.Arbitrary<ProductCommand> = fc.oneof(
    { weight: 2, arbitrary: few.map((quantity): ProductCommand => ({ type: 'AddProduct', details, quantity })) },
    {
      weight: 2,
      arbitrary: fc
        .constantFrom(100, 200, 50_000_000)
        .map((price): ProductCommand => ({ type: 'ChangeProduct', changes: { price } })),
    },
    fc
      .record({ quantity: few, seenVersion: fc.integer({ min: 1, max: 8 }) })
      .map((stock): ProductCommand => ({ type: 'ChangeProduct', changes: {}, stock })),
    fc.constant<ProductCommand>({ type: 'RemoveProduct' }),
    {
      weight: 6,
      arbitrary: fc
        .record({
          orderId: order,
          quantity: few,
          seenPrice: fc.constantFrom(undefined, 100, 200, 50_000_000),
          address: fc.constantFrom('Dhaka', 'Khulna'),
        })
        .map(({ address, ...rest }): ProductCommand => {
          const who = { productId: hex('b'), userId: hex('c'), delivery: { ...delivery, address } };
          return { type: 'ReduceStock', number: 'MC-1042', ...rest, ...who, ...times };
        }),
    },
    { weight: 2, arbitrary: order.map((orderId): ProductCommand => ({ type: 'ReturnStock', orderId, quantity: 2 })) },
  );

  function modelOfProduct(): Model<ProductCommand, { status: string; stock: number; price: number }> {
    let [status, stock, price, addedWith] = ['absent', 0, 0, -1];
    /** the quantity and address of each placed order */
    const taken = new Map<string, string>();
    return {
      seen: () => ({ status, stock, price }),
      step(command, { version, repeated }) {
        switch (command.type) {
          case 'AddProduct':
            if (status !== 'absent') return addedWith === command.quantity ? [] : 'idempotency_key_reused';
            [status, stock, price, addedWith] = ['listed', command.quantity, details.price, command.quantity];
            return ['ProductAdded'];
          case 'ChangeProduct': {
            if (status !== 'listed') return 'not_found';
            if (command.stock && command.stock.seenVersion !== version) return 'stale_version';
            const events: DomainEvent['type'][] = [];
            if (command.changes.price !== undefined && command.changes.price !== price) events.push('ProductChanged');
            if (command.stock && command.stock.quantity !== stock) events.push('StockAdjusted');
            price = command.changes.price ?? price;
            stock = command.stock?.quantity ?? stock;
            return events;
          }
          case 'RemoveProduct':
            if (status !== 'listed') return status === 'absent' ? 'not_found' : [];
            status = 'removed';
            return ['ProductRemoved'];
          case 'ReduceStock': {
            const asked = `${command.quantity} to ${command.delivery.address}`;
            if (repeated) return taken.get(command.orderId) === asked ? [] : 'idempotency_key_reused';
            if (status !== 'listed') return 'not_found';
            if (command.seenPrice !== undefined && command.seenPrice !== price) return 'price_changed';
            if (command.quantity < details.minorder || command.quantity > stock) return 'quantity_out_of_range';
            if ((price / 100) * command.quantity > 999_999) return 'total_too_large';
            taken.set(command.orderId, asked);
            stock -= command.quantity;
            return ['StockReduced'];
          }
          case 'ReturnStock':
            if (repeated) return [];
            if (status === 'absent') return 'not_found';
            stock += command.quantity;
            return ['StockReturned'];
        }
      },
    };
  }

  it('ORD2 ORD3 ORD5 CMD3 CMD6 a product behaves like its reference model for any sequence of commands, and is never oversold', () => {
    expectToFollow(productDecider, {
      commands,
      causeOf(command, index) {
        switch (command.type) {
          case 'ReduceStock':
            return `place:${command.orderId}`;
          case 'ReturnStock':
            return `return:${command.orderId}`;
          case 'AddProduct':
            return 'add';
          default:
            return `c:${index}`;
        }
      },
      model: modelOfProduct,
      seenOf(state) {
        if (state.status === 'absent') return { status: 'absent', stock: 0, price: 0 };
        expect(state.stock).toBeGreaterThanOrEqual(0);
        return { status: state.status, stock: state.stock, price: state.details.price };
      },
    });
  });
});
