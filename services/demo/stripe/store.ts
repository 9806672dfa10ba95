import type { Database } from './database.ts';
import type { ChargeObject, EventObject, IntentObject, PaymentMethodObject, RefundObject } from './objects.ts';
import type { ListParams } from './params.ts';

/** Maps each value of the `object` field to the type of the stored object. */
export interface Kinds {
  payment_intent: IntentObject;
  payment_method: PaymentMethodObject;
  charge: ChargeObject;
  refund: RefundObject;
  event: EventObject;
}
export type Kind = keyof Kinds;

export interface Filter {
  /** only this payment intent's charges or refunds */
  parent?: string | undefined;
  /** only events of these types */
  labels?: readonly string[] | undefined;
}

export interface Store {
  put(object: Kinds[Kind]): void;
  get<K extends Kind>(kind: K, id: string): Kinds[K] | undefined;
  /** Returns a page of objects, newest first. */
  list<K extends Kind>(kind: K, params: ListParams, filter: Filter): { data: Kinds[K][]; hasMore: boolean };
}

export function createStore(database: Database): Store {
  const put = database.prepare(`
    INSERT INTO objects (id, kind, parent, label, created, body) VALUES (@id, @kind, @parent, @label, @created, @body)
    ON CONFLICT (id) DO UPDATE SET body = excluded.body
  `);
  const get = database.prepare<[string, string], string>('SELECT body FROM objects WHERE id = ? AND kind = ?').pluck();

  return {
    put(object) {
      const { id, object: kind, created } = object;
      const parent = 'payment_intent' in object ? object.payment_intent : null;
      const label = kind === 'event' ? object.type : null;
      put.run({ id, kind, parent, label, created, body: JSON.stringify(object) });
    },
    get(kind, id) {
      const body = get.get(id, kind);
      return body === undefined ? undefined : JSON.parse(body);
    },
    list(kind, { limit, starting_after, ending_before, created }, { parent, labels }) {
      const conditions = Object.entries({
        'kind = ?': kind,
        'parent = ?': parent,
        'label IN (SELECT value FROM json_each(?))': labels && JSON.stringify(labels),
        'created > ?': created?.gt,
        'created >= ?': created?.gte,
        'created < ?': created?.lt,
        'created <= ?': created?.lte,
        'seq < (SELECT seq FROM objects WHERE id = ?)': starting_after,
        'seq > (SELECT seq FROM objects WHERE id = ?)': ending_before,
      }).filter(([, value]) => value !== undefined);
      const where = conditions.map(([sql]) => sql).join(' AND ');
      const backwards = ending_before !== undefined;
      const bodies = database
        .prepare<unknown[], string>(
          `SELECT body FROM objects WHERE ${where} ORDER BY seq ${backwards ? 'ASC' : 'DESC'} LIMIT ?`,
        )
        .pluck()
        .all(...conditions.map(([, value]) => value), limit + 1);
      const data = bodies.slice(0, limit).map((body) => JSON.parse(body));
      return { data: backwards ? data.reverse() : data, hasMore: bodies.length > limit };
    },
  };
}
