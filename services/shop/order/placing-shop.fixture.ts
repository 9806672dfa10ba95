import { randomUUID } from 'node:crypto';
import type { CommandHandler } from '../../engine/commands/command-handler.ts';
import { createOrderNumbers } from './order-numbers-flow.ts';
import type { PlacingShop } from './place-order-flow.ts';

const shops = new WeakMap<CommandHandler, PlacingShop>();

/**
 * Returns the PlacingShop for this handler. Each handler has its own reserve of order numbers, just as each process
 * does.
 */
export function placingShop(handler: CommandHandler): PlacingShop {
  const shop = shops.get(handler) ?? {
    handler,
    numbers: createOrderNumbers({ handler, clock: Date.now, newId: randomUUID }),
  };
  shops.set(handler, shop);
  return shop;
}
