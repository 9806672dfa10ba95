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

/** `next` is null on the last page. `version` identifies the content of the page, see versionOf(). */
export interface Page<D> {
  readonly items: D[];
  readonly next: string | null;
  readonly version: string;
}

/** The cursor is malformed or belongs to another list or sort. */
export class InvalidCursor extends Error {
  override readonly name = 'InvalidCursor';
}

/** Too many searches are already waiting. The rejected search was not run and may be retried later. */
export class TooManySearches extends Error {
  override readonly name = 'TooManySearches';
}

/**
 * Lists orders that are not cancelled, unless `status` is 'cancelled'. Each word of `q` must occur in id, number,
 * product, name, e-mail, phone or address.
 */
export interface OrderListRequest extends PageRequest {
  readonly customer?: string | undefined;
  readonly status?: OrderDocument['status'] | undefined;
  readonly q?: string | undefined;
}

/**
 * Lists products that are not removed. Each word of `q` must occur in name, processor, gpu, description or the fixed
 * words for the product category, such as 'case'. `stock: 'low'` selects products for which isLowStock() is true.
 * `order` takes precedence over `sort`.
 */
export interface ProductListRequest extends PageRequest {
  readonly q?: string | undefined;
  readonly inStock?: boolean | undefined;
  readonly stock?: 'low' | undefined;
  readonly order?: 'price' | '-price' | 'name' | undefined;
}

/** Lists every user who has ever signed in and whose account is not closed. Each word of `q` must occur in e-mail or name. */
export interface UserListRequest extends PageRequest {
  readonly q?: string | undefined;
}

/** `name` selects the reviews of items with exactly this name. */
export interface ReviewListRequest extends PageRequest {
  readonly name?: string | undefined;
}

/** The request type of each list. */
export interface ListRequests {
  readonly order: OrderListRequest;
  readonly product: ProductListRequest;
  readonly user: UserListRequest;
  readonly review: ReviewListRequest;
}
export type ListKind = keyof ListRequests;

/** The lists whose pages are cached. */
export type KeptLists = Pick<ListRequests, 'order' | 'product' | 'review'>;

/**
 * The number of orders by status. `all` is the sum of the others, so it doesn't include cancelled orders. A count is
 * null if a search may find more than `MOST_COUNTED` orders.
 */
export type OrderCounts = Readonly<Record<'all' | 'unpaid' | 'paid' | 'shipped', number | null>>;

/** The maximum number of search results that are counted. */
export const MOST_COUNTED = 1_000;

/**
 * Stores one document for each order, product, user and review, and one for the mails of each order. Each document has
 * the version of the stream from which it was built.
 */
export interface ReadModels {
  get<K extends DocumentKind>(kind: K, id: string): Promise<Documents[K] | null>;
  getMany<K extends DocumentKind>(kind: K, ids: readonly string[]): Promise<Documents[K][]>;
  /**
   * Saves each document whose version is higher than that of the stored one (PRJ1). Resolves once the writes are
   * durable. Returns the stored documents that are newer than the given ones (PRJ6).
   */
  save(documents: readonly AnyDocument[]): Promise<AnyDocument[]>;
  listOrders(request: OrderListRequest): Promise<Page<OrderDocument>>;
  countOrders(q?: string): Promise<OrderCounts>;
  /** Counts the orders placed from each time (ISO 8601) until just before the next. Cancelled orders are left out. */
  ordersPlacedBetween(times: readonly string[]): Promise<number[]>;
  /** Adds up the totals of orders paid at or after a time (ISO 8601), in whole taka. */
  totalPaidSince(time: string): Promise<number>;
  listProducts(request: ProductListRequest): Promise<Page<ProductDocument>>;
  listUsers(request: UserListRequest): Promise<Page<Documents['user']>>;
  listReviews(request: ReviewListRequest): Promise<Page<Documents['review']>>;
  /** Returns the version that the requested page would have if read now. Pages with the same version hold the same documents. */
  versionOf<K extends keyof KeptLists>(kind: K, request: KeptLists[K]): Promise<string>;
  /** Returns the ids of products that are not removed, newest first. Reads only an index. */
  productIds(limit: number): Promise<string[]>;
  /** Returns the products with exactly this name that are not removed. */
  productsNamed(name: string): Promise<ProductDocument[]>;
  /** Counts the products that are low on stock (isLowStock) and not removed. */
  countLowStock(): Promise<number>;
  /** Returns unpaid orders whose expiry is at or before `time` (ISO 8601), earliest first. */
  ordersToExpire(time: string, limit: number): Promise<OrderDocument[]>;
  /**
   * Returns orders that have an open payment intent or a refund due, in order of id, starting after `afterId`. An
   * unpaid order is included only if it was placed at or before `placedBy` (ISO 8601). Reads no documents.
   */
  ordersWithDueWork(placedBy: string, afterId: string, limit: number): Promise<VersionedId[]>;
  /**
   * Counts the orders paid since a time (ISO 8601), and how many of them were shipped within a day. An order that is
   * not shipped yet is counted only if it was paid more than a day before `now`.
   */
  shippedInADay(since: string, now: string): Promise<{ orders: number; inTime: number }>;
  /** Returns mails whose claim expired by `time` (ISO 8601) before they were sent or given up, earliest first. */
  mailsToSend(time: string, limit: number): Promise<MailDocument[]>;
  /** Returns the ids of all admins, in order, as far as events have been projected. */
  adminIds(): Promise<string[]>;
  /** Empties every collection, for a rebuild from the log. */
  clear(): Promise<void>;
}
