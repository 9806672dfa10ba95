import type { Logger } from 'pino';
import type { UnrecordedMoney } from './payments.ts';

/** Notes kept at most. The oldest ones go first; the log has them all. */
const MOST_NOTES = 1_000;

const SAID: Record<UnrecordedMoney['what'], string> = {
  paid_for_missing_order: 'money came in for an order that the log lacks; a person has to look into it',
  refunded_without_being_due: 'a refund was made at Stripe that the order does not owe; a person has to look into it',
};

export interface UnrecordedMoneyNotes {
  /** Keeps it, and logs it as an error where the amount is news. An amount of 0 says that nothing is left to look into. */
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
