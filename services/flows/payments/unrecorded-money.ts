import type { Logger } from 'pino';
import type { UnrecordedMoney } from './payments.ts';

/**
 * The maximum number of notes about unrecorded money (see UnrecordedMoney) that are kept in memory. Beyond that, the
 * oldest note is dropped, but it has already been logged.
 */
const MOST_NOTES = 1_000;

const SAID: Record<UnrecordedMoney['what'], string> = {
  paid_for_missing_order: 'money was received for an order that the shop does not have; a person has to look into it',
};

export interface UnrecordedMoneyNotes {
  /**
   * Stores a note about a payment intent, and replaces the intent's previous note. Logs an error if the amount has
   * changed. If the amount is 0, only removes the previous note, because nothing is left to investigate.
   */
  note(money: UnrecordedMoney): void;
  list(): readonly UnrecordedMoney[];
}

export function createUnrecordedMoneyNotes(logger: Pick<Logger, 'error'>): UnrecordedMoneyNotes {
  const notes = new Map<string, UnrecordedMoney>();
  return {
    note(money) {
      const { what, orderId, intent, amount } = money;
      const before = notes.get(intent)?.amount ?? 0;
      notes.delete(intent);
      if (amount === 0) return;
      notes.set(intent, money);
      const [oldest] = notes.keys();
      if (notes.size > MOST_NOTES && oldest !== undefined) notes.delete(oldest);
      if (amount !== before) logger.error({ orderId, intent, amount }, SAID[what]);
    },
    list: () => [...notes.values()],
  };
}
