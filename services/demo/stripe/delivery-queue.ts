import type { Clock } from '../../runtime/clock.ts';
import { exponentialBackOff } from '../../runtime/schedule.ts';
import type { Database } from '../../runtime/sqlite.ts';
import type { Faults } from './faults.ts';
import type { Settings } from './settings.ts';

/**
 * A `pending` delivery waits for its next attempt. A `held` delivery waits until enough deliveries are held. The held
 * deliveries are then sent in reverse order. The other states are final: `delivered`, `dropped` by a fault, and
 * `abandoned` after the last attempt.
 */
export type DeliveryState = 'pending' | 'held' | 'delivered' | 'dropped' | 'abandoned';

export interface Delivery {
  id: number;
  event: string;
  type: string;
  state: DeliveryState;
  attempts: number;
  dueAt: number;
  /** the id of the delivery that must reach a final state before this delivery is attempted */
  afterId: number | null;
  lastError: string | null;
}

export interface DeliveryQueue {
  /** Queues an event for delivery, subject to the current faults. */
  add(event: { id: string; type: string }): void;
  due(now: number): Delivery[];
  /** Returns the earliest time after `now` at which a delivery is due, or undefined if there is none. */
  nextDueAfter(now: number): number | undefined;
  succeeded(id: number): void;
  failed(delivery: Delivery, error: string): void;
  /** Makes the held deliveries pending, to be sent one after another, newest first. */
  release(): void;
  /** Makes all pending retries due now. Called at startup, because the webhook endpoint may have changed since the last attempt. */
  hasten(): void;
  unsettled(): number;
  unsettledOf(event: string): number;
  list(limit: number): Delivery[];
}

const COLUMNS = 'id, event, type, state, attempts, due_at AS dueAt, after_id AS afterId, last_error AS lastError';
const UNSETTLED = "state IN ('pending', 'held')";
/** Selects the pending deliveries that aren't waiting for another delivery to reach a final state. */
const READY = `state = 'pending' AND NOT EXISTS (
  SELECT 1 FROM deliveries before WHERE before.id = deliveries.after_id AND before.state = 'pending')`;

export function createDeliveryQueue(
  database: Database,
  clock: Clock,
  retry: Settings['retry'],
  faults: Faults,
): DeliveryQueue {
  const insert = database.prepare('INSERT INTO deliveries (event, type, state, due_at) VALUES (?, ?, ?, ?)');
  const due = database.prepare<[number], Delivery>(
    `SELECT ${COLUMNS} FROM deliveries WHERE ${READY} AND due_at <= ? ORDER BY id LIMIT 100`,
  );
  const next = database.prepare<[number], { at: number | null }>(
    `SELECT min(due_at) AS at FROM deliveries WHERE ${READY} AND due_at > ?`,
  );
  const held = database.prepare<[], { id: number }>("SELECT id FROM deliveries WHERE state = 'held' ORDER BY id DESC");
  const free = database.prepare("UPDATE deliveries SET state = 'pending', due_at = ?, after_id = ? WHERE id = ?");
  const finish = database.prepare<[{ id: number; state: DeliveryState; dueAt: number; error: string | null }]>(
    'UPDATE deliveries SET state = @state, attempts = attempts + 1, due_at = @dueAt, last_error = @error WHERE id = @id',
  );
  const count = database.prepare<[], { count: number }>(`SELECT count(*) AS count FROM deliveries WHERE ${UNSETTLED}`);
  const countOf = database.prepare<[string], { count: number }>(
    `SELECT count(*) AS count FROM deliveries WHERE event = ? AND ${UNSETTLED}`,
  );
  const list = database.prepare<[number], Delivery>(`SELECT ${COLUMNS} FROM deliveries ORDER BY id DESC LIMIT ?`);

  function release(): void {
    let before: number | null = null;
    for (const { id } of held.all()) {
      free.run(clock(), before, id);
      before = id;
    }
  }

  return {
    add({ id, type }) {
      const { drop, dropTypes, duplicate, delayMs, reorder } = faults;
      const state: DeliveryState = drop || dropTypes.includes(type) ? 'dropped' : reorder > 0 ? 'held' : 'pending';
      for (let copy = 0; copy < duplicate; copy += 1) insert.run(id, type, state, clock() + delayMs);
      if (reorder > 0 && held.all().length >= reorder) database.transaction(release);
    },
    due: (now) => due.all(now),
    nextDueAfter: (now) => next.get(now)?.at ?? undefined,
    succeeded: (id) => finish.run({ id, state: 'delivered', dueAt: clock(), error: null }),
    failed({ id, attempts }, error) {
      const wait = exponentialBackOff({ first: retry.firstMs, longest: retry.maxMs }, 0)(attempts + 1);
      const state = attempts + 1 >= retry.attempts ? 'abandoned' : 'pending';
      finish.run({ id, state, dueAt: clock() + wait, error });
    },
    release: () => database.transaction(release),
    hasten() {
      database
        .prepare<[{ now: number }]>(
          "UPDATE deliveries SET due_at = @now WHERE state = 'pending' AND attempts > 0 AND due_at > @now",
        )
        .run({ now: clock() });
    },
    unsettled: () => count.get()?.count ?? 0,
    unsettledOf: (event) => countOf.get(event)?.count ?? 0,
    list: (limit) => list.all(limit).reverse(),
  };
}
