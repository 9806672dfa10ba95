import { accept, type Decider, NOTHING_TO_DO, refuse } from '../../contracts/decider.ts';
import type { EventData, RecordedEvent } from '../../contracts/events.ts';
import { parseStreamName } from '../../contracts/ids.ts';
import type { BalanceDocument } from '../../contracts/ledger/balance-document.ts';

export interface BalanceState {
  readonly recorded: boolean;
  readonly note: string;
}

export type BalanceCommand =
  | { readonly type: 'RecordBalance'; readonly stated: EventData<'BalanceRecorded'> }
  | { readonly type: 'SetBalanceAside'; readonly note: string };

/** A balance transaction never changes at Stripe, so it is recorded once, however often it is read (LEDGER1). */
export const balanceDecider: Decider<BalanceState, BalanceCommand> = {
  kind: 'balance',
  initialState: { recorded: false, note: '' },
  evolve(state, event) {
    if (event.type === 'BalanceRecorded') return { ...state, recorded: true };
    return event.type === 'BalanceSetAside' ? { ...state, note: event.data.note } : state;
  },
  decide(command, { recorded, note }) {
    if (command.type === 'RecordBalance') {
      return recorded ? NOTHING_TO_DO : accept({ type: 'BalanceRecorded', data: command.stated });
    }
    if (!recorded) return refuse({ code: 'not_found' });
    return note === command.note ? NOTHING_TO_DO : accept({ type: 'BalanceSetAside', data: { note: command.note } });
  },
};

/** Folds one event into the document of a balance transaction (PRJ2). */
export function projectBalance(before: BalanceDocument | null, event: RecordedEvent): BalanceDocument | null {
  const version = event.streamversion;
  if (event.type === 'BalanceRecorded') {
    return { kind: 'balance', id: parseStreamName(event.subject).id, version, ...event.data, aside: '' };
  }
  if (before === null) return null;
  return { ...before, version, ...(event.type === 'BalanceSetAside' && { aside: event.data.note }) };
}
