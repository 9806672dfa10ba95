import { randomBytes, randomUUID } from 'node:crypto';
import { openEmbeddedCore } from '../../embedded/embedded-core.ts';
import { isoTime, systemClock } from '../../runtime/clock.ts';
import { createLogger } from '../../runtime/log.ts';
import { createOrderNumbers } from '../../shop/order/order-numbers-flow.ts';
import { placeOrder } from '../../shop/order/place-order-flow.ts';
import type { FirstOrder } from './run-first-order.ts';

/** Opens a shop's files, places one order for the given product, and prints the CPU time that the order took. */
const [dataDir = '', productId = ''] = process.argv.slice(2);
const core = openEmbeddedCore({ dataDir, clock: systemClock, logger: createLogger('error') });

/** Returns the CPU time of this process so far, in ms. Wall-clock time would include the work of other processes on a busy machine. */
function worked(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

let longestTurn = 0;
let turnBegan = worked();
let measuring = true;
function turn(): void {
  const now = worked();
  longestTurn = Math.max(longestTurn, now - turnBegan);
  turnBegan = now;
  if (measuring) setImmediate(turn);
}
setImmediate(turn);

const now = systemClock();
const userId = randomBytes(16).toString('hex');
const began = worked();
const placed = await placeOrder(
  {
    handler: core.handler,
    numbers: createOrderNumbers({ handler: core.handler, clock: systemClock, newId: randomUUID }),
  },
  {
    type: 'ReduceStock',
    orderId: randomBytes(16).toString('hex'),
    productId,
    quantity: 1,
    userId,
    delivery: { name: 'Rumi', email: 'rumi@micro-center.test', phone: '01700000000', address: 'Dhaka' },
    placedAt: isoTime(now),
    expiresAt: isoTime(now + 86_400_000),
  },
  { actor: userId, correlationId: 'benchmark', time: isoTime(now) },
);
const ms = worked() - began;
measuring = false;
if (placed.kind === 'refused') throw new Error(placed.refusal.code);
await core.close();
process.stdout.write(JSON.stringify({ ms, longestTurn } satisfies FirstOrder));
