import { streamName } from '../../contracts/ids.ts';
import type { ProductCommand } from '../../shop/product/product.ts';
import { TOWER_ONE } from '../../shop/product/tower-one.fixture.ts';
export const productId = 'b'.repeat(32);
export const stream = streamName('product', productId);
export const details = TOWER_ONE;
export const add = (quantity: number): ProductCommand => ({ type: 'AddProduct', details, quantity });
export const orderIdOf = (number: number) => number.toString(16).padStart(32, '0');
export const reduce = (number: number, quantity = 1): ProductCommand => ({
  type: 'ReduceStock',
  orderId: orderIdOf(number),
  number: `MC-${1001 + number}`,
  productId,
  quantity,
  userId: 'c'.repeat(32),
  delivery: { name: 'Rahim', email: 'rahim@shop.test', phone: '0170000', address: 'Dhaka' },
  placedAt: '2026-01-01T00:00:00.000Z',
  expiresAt: '2026-01-02T00:00:00.000Z',
});
