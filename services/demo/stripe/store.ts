import type { Outcome } from './cards.ts';
import type { Database } from './database.ts';
import type { ChargeObject, EventObject, IntentObject, PaymentMethodObject, RefundObject } from './objects.ts';

/** Of a card the outcome is stored, never its number. */
export interface Kept {
  payment_intent: IntentObject;
  payment_method: { method: PaymentMethodObject; outcome: Outcome };
  charge: ChargeObject;
  refund: RefundObject;
  event: EventObject;
}
export type Kind = keyof Kept;

/** `created` in seconds since the epoch, both bounds inclusive. */
export interface Selection {
  limit: number;
  startingAfter?: string;
  endingBefore?: string;
  createdFrom?: number;
  createdTo?: number;
  /** the payment intent of a charge or refund */
  parent?: string;
  labels?: string[];
}

export interface Page<K extends Kind> {
  data: Kept[K][];
  hasMore: boolean;
}

export interface Store {
  put<K extends Kind>(
    kind: K,
    id: string,
    body: Kept[K],
    index: { created: number; parent?: string; label?: string },
  ): void;
  get<K extends Kind>(kind: K, id: string): Kept[K] | undefined;
  list<K extends Kind>(kind: K, selection: Selection): Page<K>;
}

export function createStore(database: Database): Store {
  const put = database.prepare(`
    INSERT INTO objects (id, kind, parent, label, created, body) VALUES (@id, @kind, @parent, @label, @created, @body)
    ON CONFLICT (id) DO UPDATE SET body = excluded.body
  `);
  const get = database.prepare<[string, string], { body: string }>(
    'SELECT body FROM objects WHERE id = ? AND kind = ?',
  );

  return {
    put(kind, id, body, { created, parent, label }) {
      put.run({ id, kind, parent: parent ?? null, label: label ?? null, created, body: JSON.stringify(body) });
    },
    get<K extends Kind>(kind: K, id: string) {
      const row = get.get(id, kind);
      return row && (JSON.parse(row.body) as Kept[K]);
    },
    list<K extends Kind>(kind: K, selection: Selection): Page<K> {
      const backwards = selection.endingBefore !== undefined;
      const { where, values } = conditions(kind, selection);
      const rows = database
        .prepare<unknown[], { body: string }>(
          `SELECT body FROM objects WHERE ${where} ORDER BY seq ${backwards ? 'ASC' : 'DESC'} LIMIT ?`,
        )
        .all(...values, selection.limit + 1);
      const data = rows.slice(0, selection.limit).map((row) => JSON.parse(row.body) as Kept[K]);
      return { data: backwards ? data.reverse() : data, hasMore: rows.length > selection.limit };
    },
  };
}

function conditions(kind: Kind, selection: Selection): { where: string; values: unknown[] } {
  const { startingAfter, endingBefore, createdFrom, createdTo, parent, labels } = selection;
  const parts: [string, unknown[]][] = [['kind = ?', [kind]]];
  if (startingAfter !== undefined) parts.push(['seq < (SELECT seq FROM objects WHERE id = ?)', [startingAfter]]);
  if (endingBefore !== undefined) parts.push(['seq > (SELECT seq FROM objects WHERE id = ?)', [endingBefore]]);
  if (createdFrom !== undefined) parts.push(['created >= ?', [createdFrom]]);
  if (createdTo !== undefined) parts.push(['created <= ?', [createdTo]]);
  if (parent !== undefined) parts.push(['parent = ?', [parent]]);
  if (labels !== undefined) parts.push([`label IN (${labels.map(() => '?').join(', ')})`, labels]);
  return { where: parts.map(([sql]) => sql).join(' AND '), values: parts.flatMap(([, values]) => values) };
}
