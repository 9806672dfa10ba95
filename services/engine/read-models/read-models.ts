import type {
  AnyDocument,
  Documents,
  MailDocument,
  OrderDocument,
  ProductDocument,
} from '../../contracts/documents.ts';
import type { DocumentKind } from '../../contracts/ids.ts';

export type VersionedId = Pick<AnyDocument, 'id' | 'version'>;

export interface PageRequest {
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly sort: 'oldest' | 'newest';
}

/** `next` is null on the last page. `version` names what was read: see versionOf(). */
export interface Page<D> {
  readonly items: D[];
  readonly next: string | null;
  readonly version: string;
}

/** A cursor that this store never gave, or that belongs to another sort. */
export class InvalidCursor extends Error {
  override readonly name = 'InvalidCursor';
}

/** Too many searches are running and waiting, so this one was refused. Nothing was read: try again later. */
export class TooManySearches extends Error {
  override readonly name = 'TooManySearches';
}

/** Orders that are not cancelled, unless `status` is 'cancelled'. `q` is looked for in id, number, product, name, e-mail, phone, address. */
export interface OrderListRequest extends PageRequest {
  readonly customer?: string | undefined;
  readonly status?: OrderDocument['status'] | undefined;
  readonly q?: string | undefined;
}

/**
 * Products that aren't removed. Each word of `q` occurs in name, processor, gpu or description. `stock: 'low'` selects the products
 * that isLowStock() holds for. `order` outranks `sort`.
 */
export interface ProductListRequest extends PageRequest {
  readonly q?: string | undefined;
  readonly inStock?: boolean | undefined;
  readonly stock?: 'low' | undefined;
  readonly order?: 'price' | '-price' | 'name' | undefined;
}

/** Everyone who ever signed in and whose account is open. `q` is looked for in e-mail and name. */
export interface UserListRequest extends PageRequest {
  readonly q?: string | undefined;
}

/** `name`: the reviews of the item of exactly this name. */
export interface ReviewListRequest extends PageRequest {
  readonly name?: string | undefined;
}

/** What each list is asked for. */
export interface ListRequests {
  readonly order: OrderListRequest;
  readonly product: ProductListRequest;
  readonly user: UserListRequest;
  readonly review: ReviewListRequest;
}
export type ListKind = keyof ListRequests;

/** The lists whose pages are kept. */
export type KeptLists = Pick<ListRequests, 'order' | 'product' | 'review'>;

/** `all` is the three together: cancelled orders are not counted. Null where a search may find more than `MOST_COUNTED`. */
export type OrderCounts = Readonly<Record<'all' | 'unpaid' | 'paid' | 'shipped', number | null>>;

/** What a search finds is counted one by one up to this. */
export const MOST_COUNTED = 1_000;

/** One document per order, product, user, review and order's mails, each with the stream version that it was built from. */
export interface ReadModels {
  get<K extends DocumentKind>(kind: K, id: string): Promise<Documents[K] | null>;
  getMany<K extends DocumentKind>(kind: K, ids: readonly string[]): Promise<Documents[K][]>;
  /**
   * Saves all, each only if its version is higher than the one kept (PRJ1); durable once resolved. Returns the documents
   * that are kept because they are newer than what was brought (PRJ6).
   */
  save(documents: readonly AnyDocument[]): Promise<AnyDocument[]>;
  listOrders(request: OrderListRequest): Promise<Page<OrderDocument>>;
  countOrders(q?: string): Promise<OrderCounts>;
  /** Counts the orders placed from each time (ISO 8601) up to the next one, without cancelled orders. The last time has no count. */
  ordersPlacedBetween(times: readonly string[]): Promise<number[]>;
  /** Adds up the totals of orders paid at or after a time (ISO 8601), in whole taka. */
  totalPaidSince(time: string): Promise<number>;
  listProducts(request: ProductListRequest): Promise<Page<ProductDocument>>;
  listUsers(request: UserListRequest): Promise<Page<Documents['user']>>;
  listReviews(request: ReviewListRequest): Promise<Page<Documents['review']>>;
  /** The version that the list's page would have if it were read now: a page of the same version holds the same documents. */
  versionOf<K extends keyof KeptLists>(kind: K, request: KeptLists[K]): Promise<string>;
  /** Ids of products that are not removed, the newest first; read from an index alone. */
  productIds(limit: number): Promise<string[]>;
  /** Products of exactly this name that are not removed. */
  productsNamed(name: string): Promise<ProductDocument[]>;
  /** Products that are not removed and low on stock (isLowStock). */
  countLowStock(): Promise<number>;
  /** Unpaid orders whose expiry lies at or before `time` (ISO 8601), the earliest first. */
  ordersToExpire(time: string, limit: number): Promise<OrderDocument[]>;
  /**
   * Orders that owe an open intent's answer or a refund, after `afterId` in the order of their ids. An unpaid one is among them only if it was
   * placed at or before `placedBy` (ISO 8601). No document is read.
   */
  ordersWithDueWork(placedBy: string, afterId: string, limit: number): Promise<VersionedId[]>;
  /**
   * Counts the orders paid since a time (ISO 8601), and those of them that were shipped within a day. One that is not
   * shipped yet counts once it was paid more than a day before `now`.
   */
  shippedInADay(since: string, now: string): Promise<{ orders: number; inTime: number }>;
  /** Mails whose claim had ended by `time` (ISO 8601) before they were sent or given up, earliest first. */
  mailsToSend(time: string, limit: number): Promise<MailDocument[]>;
  /** Ids of the users who are admins as far as is projected, in order. */
  adminIds(): Promise<string[]>;
  /** Empties every collection, for a rebuild from the log. */
  clear(): Promise<void>;
}
