import { orderNumber } from '../../contracts/order/order-number.ts';
import type { CommandHandler } from '../../engine/commands/command-handler.ts';
import { type Clock, isoTime } from '../../runtime/clock.ts';
import { NUMBERS, numbersDecider } from './decide-numbers.ts';

/**
 * How long a block of order numbers should last. A block has at least SMALLEST_BLOCK numbers. Two seconds are long
 * enough to reserve the next block without delaying an order, and short enough that a restart skips few numbers.
 */
const SECONDS_AHEAD = 2;
const SMALLEST_BLOCK = 50;

/** Order numbers for one process, reserved in blocks before they are needed (ORD8). */
export interface OrderNumbers {
  /** Returns a number that no other order has. Waits only if no number is in reserve. @throws StoreUnavailable */
  take(): Promise<string>;
  /** Puts back an unused number, which is then given to the next order. The number must not occur in any event. */
  giveBack(number: string): void;
}

export function createOrderNumbers({
  handler,
  clock,
  newId,
}: {
  readonly handler: Pick<CommandHandler, 'execute'>;
  readonly clock: Clock;
  /** generates unique ids */
  readonly newId: () => string;
}): OrderNumbers {
  const free: string[] = [];
  let block = SMALLEST_BLOCK;
  let taken = 0;
  let reservedAt = clock();
  let reserving: Promise<void> | null = null;

  async function reserve(): Promise<void> {
    const now = clock();
    const perSecond = taken / Math.max(1, (now - reservedAt) / 1000);
    [block, taken, reservedAt] = [Math.max(SMALLEST_BLOCK, Math.ceil(perSecond * SECONDS_AHEAD)), 0, now];
    const id = newId();
    const reserved = await handler.execute(
      numbersDecider,
      NUMBERS,
      { type: 'ReserveNumbers', count: block },
      { cause: `reserve:${id}`, actor: 'system:order-numbers', correlationId: id, time: isoTime(now) },
      { bypassLimits: true },
    );
    const [event] = reserved.kind === 'done' ? reserved.events : [];
    if (event?.type !== 'OrderNumbersReserved') throw new Error('No order numbers were reserved.');
    const { first, count } = event.data;
    for (let offset = 0; offset < count; offset += 1) free.push(orderNumber(first + offset));
  }

  function refill(): Promise<void> {
    reserving ??= reserve().finally(() => {
      reserving = null;
    });
    return reserving;
  }

  return {
    async take() {
      taken += 1;
      for (;;) {
        const number = free.shift();
        if (number === undefined) {
          await refill();
          continue;
        }
        // A failure can be ignored here, because a placement that finds no number in reserve retries the reservation
        // and reports the error.
        if (free.length < block / 2) refill().catch(() => {});
        return number;
      }
    },
    giveBack(number) {
      free.unshift(number);
    },
  };
}
