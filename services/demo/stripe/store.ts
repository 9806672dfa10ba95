import type { Database } from '../../runtime/sqlite.ts';
import type {
  BalanceTransactionObject,
  ChargeObject,
  DisputeObject,
  EventObject,
  IntentObject,
  PaymentMethodObject,
  PayoutObject,
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
  payout: PayoutObject;
  event: EventObject;
}
export type Kind = keyof Kinds;

export const FIRST_ACCOUNT = 'acct_00000000000001';

export interface Filter {
  /** only this payment intent's charges, refunds or disputes, or this object's balance transactions */
  parent?: string | undefined;
  /** only events or balance transactions of these types; in a type, `*` stands for any text */
  labels?: readonly string[] | undefined;
  /** only balance transactions in this currency */
  currency?: string | undefined;
  /** only objects that are listed by this time, in ms since the epoch */
  listedBy?: number | undefined;
  /** only events whose webhooks were all delivered (true), or whose webhooks weren't all delivered (false) */
  delivered?: boolean | undefined;
}

/** Stores the objects of all accounts, and gives access to those of the current one. */
export interface Store {
  /** Stores a new or changed object. `listedAt` is the time from which lists contain a new one, in ms since the epoch. */
  put(object: Kinds[Kind], listedAt?: number): void;
  get<K extends Kind>(kind: K, id: string): Kinds[K] | undefined;
  /** Returns a page of objects, newest first. */
  list<K extends Kind>(kind: K, params: ListParams, filter: Filter): { data: Kinds[K][]; hasMore: boolean };
  /**
   * Returns the sums of `net` by currency, over the balance transactions whose money is available at `now` and over all
   * others. `now` is in seconds since the epoch.
   */
  sumsOfNet(now: number): { currency: string; available: number; pending: number }[];
}

interface Row {
  readonly body: string;
}
type PutRow = {
  readonly id: string;
  readonly kind: Kind;
  readonly parent: string | null;
  readonly label: string | null;
  readonly created: number;
  readonly body: string;
  readonly listedAt: number;
  readonly account: string;
};

/** Whether all webhooks about an event were delivered: 1 or 0. */
const DELIVERED = "NOT EXISTS (SELECT 1 FROM deliveries WHERE event = objects.id AND state <> 'delivered')";

/** `account` returns the current account's id. */
export function createStore(database: Database, account: () => string): Store {
  const put = database.prepare<[PutRow]>(`
    INSERT INTO objects (id, kind, parent, label, created, body, listed_at, account)
    VALUES (@id, @kind, @parent, @label, @created, @body, @listedAt, @account)
    ON CONFLICT (id) DO UPDATE SET body = excluded.body
  `);
  const get = database.prepare<[string, string, string], Row>(
    'SELECT body FROM objects WHERE id = ? AND kind = ? AND account = ?',
  );
  const sums = database.prepare<
    [{ now: number; account: string }],
    { currency: string; available: number; pending: number }
  >(`
    SELECT currency, coalesce(sum(net) FILTER (WHERE available_on <= @now), 0) AS available,
      coalesce(sum(net) FILTER (WHERE available_on > @now), 0) AS pending
    FROM (
      SELECT json_extract(body, '$.net') AS net, json_extract(body, '$.available_on') AS available_on,
        json_extract(body, '$.currency') AS currency
      FROM objects WHERE kind = 'balance_transaction' AND account = @account
    )
    GROUP BY currency ORDER BY currency
  `);

  return {
    put(object, listedAt = 0) {
      const { id, object: kind, created } = object;
      const parent = parentOf(object);
      const label = kind === 'event' || kind === 'balance_transaction' ? object.type : null;
      put.run({ id, kind, parent, label, created, body: JSON.stringify(object), listedAt, account: account() });
    },
    get(kind, id) {
      const row = get.get(id, kind, account());
      return row && JSON.parse(row.body);
    },
    list(kind, { limit, starting_after, ending_before, created }, { parent, labels, delivered, currency, listedBy }) {
      const conditions = Object.entries<string | number | undefined>({
        'kind = ?': kind,
        'account = ?': account(),
        'listed_at <= ?': listedBy,
        "json_extract(body, '$.currency') = ?": currency,
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
    sumsOfNet: (now) => sums.all({ now, account: account() }),
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
