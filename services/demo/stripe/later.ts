import type { Database } from './database.ts';
import type { DisputeParams } from './dispute-params.ts';
import type { Call } from './simulation.ts';

/** What the simulated banks do some time after a call, without another call. */
export type LaterWork =
  | { kind: 'settle_charge'; charge: string }
  | { kind: 'finish_payment'; intent: string; outcome: 'succeed' | 'fail' }
  | { kind: 'decide_refund'; refund: string; status: 'succeeded' | 'failed' }
  | { kind: 'open_dispute'; charge: string; params: DisputeParams };

/** Schedules work. Must run in the API call's transaction, so that the work is stored if and only if the call's changes are. */
export function doLater({ simulation }: Call, delayMs: number, work: LaterWork): void {
  simulation.database
    .prepare('INSERT INTO later (due_at, work) VALUES (?, ?)')
    .run(simulation.clock() + delayMs, JSON.stringify(work));
}

/** Removes the work that is due from the table and returns it, earliest first. */
export function takeDueWork(database: Database, now: number): LaterWork[] {
  const due = database.prepare<[number], { id: number; work: string }>(
    'SELECT id, work FROM later WHERE due_at <= ? ORDER BY due_at, id',
  );
  const remove = database.prepare('DELETE FROM later WHERE id = ?');
  return due.all(now).map(({ id, work }) => {
    remove.run(id);
    return JSON.parse(work);
  });
}

/** Returns the time at which the next work is due, or undefined if there is none. */
export function nextWorkAt(database: Database): number | undefined {
  return database.prepare<[], number | null>('SELECT min(due_at) FROM later').pluck().get() ?? undefined;
}
