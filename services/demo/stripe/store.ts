import type { Database } from '../../runtime/sqlite.ts';
import type {
  BalanceTransactionObject,
  ChargeObject,
  DisputeObject,
  EventObject,
  IntentObject,
  PaymentMethodObject,
  RefundObject,
} from './objects.ts';
import type { ListParams } from './params.ts';

/** Maps each value of the `object` field to the type of the stored object. */
export interface Kinds {
  payment_intent: IntentObject;
  payment_method: PaymentMethodObject;
  charge: ChargeObject;
  refund: RefundObject;
  dispute: DisputeObject;
  balance_transaction: BalanceTransactionObject;
  event: EventObject;
}
export type Kind = keyof Kinds;

export interface Filter {
  /** only this payment intent's charges, refunds or disputes, or this object's balance transactions */
  parent?: string | undefined;
  /** only events or balance transactions of these types; in a type, `*` stands for any text */
  labels?: readonly string[] | undefined;
  /** only events whose webhooks were all delivered (true), or whose webhooks weren't all delivered (false) */
  delivered?: boolean | undefined;
}

export interface Store {
  put(object: Kinds[Kind]): void;
  get<K extends Kind>(kind: K, id: string): Kinds[K] | undefined;
  /** Returns a page of objects, newest first. */
  list<K extends Kind>(kind: K, params: ListParams, filter: Filter): { data: Kinds[K][]; hasMore: boolean };
  /** Returns the sums of `net` over the balance transactions whose money is available at `now`, and over all others. */
  sumOfNet(now: number): { available: number; pending: number };
}

interface Row {
  readonly body: string;
}
type PutRow = { id: string; kind: Kind; parent: string | null; label: string | null; created: number; body: string };

/** Whether all webhooks about an event were delivered: 1 or 0. */
const DELIVERED = "NOT EXISTS (SELECT 1 FROM deliveries WHERE event = objects.id AND state <> 'delivered')";

export function createStore(database: Database): Store {
  const put = database.prepare<[PutRow]>(`
    INSERT INTO objects (id, kind, parent, label, created, body) VALUES (@id, @kind, @parent, @label, @created, @body)
    ON CONFLICT (id) DO UPDATE SET body = excluded.body
  `);
  const get = database.prepare<[string, string], Row>('SELECT body FROM objects WHERE id = ? AND kind = ?');
  const sums = database.prepare<[{ now: number }], { available: number; pending: number }>(`
    SELECT coalesce(sum(net) FILTER (WHERE available_on <= @now), 0) AS available,
      coalesce(sum(net) FILTER (WHERE available_on > @now), 0) AS pending
    FROM (
      SELECT json_extract(body, '$.net') AS net, json_extract(body, '$.available_on') AS available_on
      FROM objects WHERE kind = 'balance_transaction'
    )
  `);

  return {
    put(object) {
      const { id, object: kind, created } = object;
      const parent = parentOf(object);
      const label = kind === 'event' || kind === 'balance_transaction' ? object.type : null;
      put.run({ id, kind, parent, label, created, body: JSON.stringify(object) });
    },
    get(kind, id) {
      const row = get.get(id, kind);
      return row && JSON.parse(row.body);
    },
    list(kind, { limit, starting_after, ending_before, created }, { parent, labels, delivered }) {
      const conditions = Object.entries<string | number | undefined>({
        'kind = ?': kind,
        'parent = ?': parent,
        'EXISTS (SELECT 1 FROM json_each(?) WHERE label GLOB value)': labels && JSON.stringify(labels.map(patternOf)),
        [`${DELIVERED} = ?`]: delivered === undefined ? undefined : Number(delivered),
        'created > ?': created?.gt,
        'created >= ?': created?.gte,
        'created < ?': created?.lt,
        'created <= ?': created?.lte,
        'seq < (SELECT seq FROM objects WHERE id = ?)': starting_after,
        'seq > (SELECT seq FROM objects WHERE id = ?)': ending_before,
      }).filter((condition): condition is [string, string | number] => condition[1] !== undefined);
      const where = conditions.map(([sql]) => sql).join(' AND ');
      const backwards = ending_before !== undefined;
      const rows = database
        .prepare<(string | number)[], Row>(
          `SELECT body FROM objects WHERE ${where} ORDER BY seq ${backwards ? 'ASC' : 'DESC'} LIMIT ?`,
        )
        .all(...conditions.map(([, value]) => value), limit + 1);
      const data = rows.slice(0, limit).map(({ body }) => JSON.parse(body));
      return { data: backwards ? data.reverse() : data, hasMore: rows.length > limit };
    },
    sumOfNet: (now) => sums.get({ now }) ?? { available: 0, pending: 0 },
  };
}

/** Returns the id of the object by which an object is looked up, or null if it's never looked up that way. */
function parentOf(object: Kinds[Kind]): string | null {
  if (object.object === 'balance_transaction') return object.source;
  return 'payment_intent' in object ? object.payment_intent : null;
}

/** Returns a GLOB pattern in which only `*` has a special meaning. */
function patternOf(label: string): string {
  return label.replace(/[[?]/g, '[$&]');
}
