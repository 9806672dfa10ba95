import type { DocumentBase } from '../document-base.ts';
import type { EventData } from '../events.ts';

/**
 * A balance transaction as Stripe states it (LEDGER1). `createdAt` is the time that Stripe gives. Contains no personal
 * data.
 */
export interface BalanceDocument extends DocumentBase, Readonly<Omit<EventData<'BalanceRecorded'>, 'createdAt'>> {
  readonly kind: 'balance';
  /** what an admin wrote about a transaction that belongs to no order; '' if nobody did */
  readonly aside: string;
}
