import type { Database } from '../../runtime/sqlite.ts';
import type { DisputeParams } from './dispute-params.ts';

/** What the simulated banks do some time after a call, without another call. */
export type LaterWork =
  | { kind: 'settle_charge'; charge: string }
  | { kind: 'finish_payment'; intent: string; outcome: 'succeed' | 'fail' }
  | { kind: 'decide_refund'; refund: string; status: 'succeeded' | 'failed' }
  | { kind: 'make_held_refund'; refund: string }
  | { kind: 'pay_out' }
  | { kind: 'open_dispute'; charge: string; params: DisputeParams };

export interface LaterQueue {
  /** Must run in the API call's transaction, so that the work is stored if and only if the call's changes are. */
  add(dueAt: number, work: LaterWork): void;
  /** Removes the work that is due and returns it, earliest first. */
  takeDue(now: number): LaterWork[];
  /** Returns the time at which the next work is due, or undefined if there is none. */
  nextAt(): number | undefined;
}

export function createLaterQueue(database: Database): LaterQueue {
  const insert = database.prepare('INSERT INTO later (due_at, work) VALUES (?, ?)');
  const due = database.prepare<[number], { id: number; work: string }>(
    'SELECT id, work FROM later WHERE due_at <= ? ORDER BY due_at, id',
  );
  const remove = database.prepare('DELETE FROM later WHERE id = ?');
  const next = database.prepare<[], { at: number | null }>('SELECT min(due_at) AS at FROM later');

  return {
    add: (dueAt, work) => void insert.run(dueAt, JSON.stringify(work)),
    takeDue(now) {
      return due.all(now).map(({ id, work }) => {
        remove.run(id);
        return JSON.parse(work);
      });
    },
    nextAt: () => next.get()?.at ?? undefined,
  };
}
