import type { EventData, RecordedEvent } from '../../contracts/events.ts';

/** Money that an order couldn't accept. `amount` is in the currency's smallest unit. */
export interface UnacceptedMoney {
  readonly intent: string;
  readonly amount: number;
  readonly currency: string;
  /** whether all of it went back */
  readonly isRefunded: boolean;
}

/** Returns the money that an order received but couldn't accept as its payment, oldest first, from the order's events. */
export function unacceptedOf(events: readonly RecordedEvent[]): UnacceptedMoney[] {
  const found = new Map<string, UnacceptedMoney>();
  const note = ({ intent }: Pick<EventData<'RefundDue'>, 'intent'>, isRefunded: boolean) => {
    const known = found.get(intent);
    if (known) found.set(intent, { ...known, isRefunded });
  };
  for (const event of events) {
    if (event.type === 'RefundDue') {
      const { intent, amount, currency } = event.data;
      found.set(intent, { intent, amount, currency, isRefunded: false });
    }
    if (event.type === 'PaymentRefunded') note(event.data, true);
    if (event.type === 'RefundFailed') note(event.data, false);
  }
  return [...found.values()];
}
