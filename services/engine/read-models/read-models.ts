import type { AnyDocument, Documents } from '../../contracts/documents.ts';
import type { DocumentKind } from '../../contracts/ids.ts';
import type { BalanceDocument } from '../../contracts/ledger/balance-document.ts';
import type { MailDocument } from '../../contracts/mail/mail-document.ts';
import type { OrderDocument } from '../../contracts/order/order-document.ts';
import type { ProductDocument } from '../../contracts/product/product-document.ts';

export type VersionedId = Pick<AnyDocument, 'id' | 'version'>;

export interface PageRequest {
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly sort: 'oldest' | 'newest';
}

/** `next` is null on the last page. `version` identifies the page's content (see versionOf()). */
export interface Page<D> {
  readonly items: D[];
  readonly next: string | null;
  readonly version: string;
}

/** Thrown if a cursor is malformed or belongs to another list or sort order. */
export class InvalidCursor extends Error {
  override readonly name = 'InvalidCursor';
}

/** Thrown if too many searches are already waiting. The rejected search was not run and may be retried later. */
export class TooManySearches extends Error {
  override readonly name = 'TooManySearches';
}

/**
 * Lists orders. Cancelled orders are listed only if `status` is 'cancelled'. Each word of `q` must occur in the order's
 * id, number or product, or in the customer's name, e-mail address, phone number or address.
 */
export interface OrderListRequest extends PageRequest {
  readonly customer?: string | undefined;
  readonly status?: OrderDocument['status'] | undefined;
  readonly q?: string | undefined;
}

/**
 * Lists products that haven't been removed. Each word of `q` must occur in the product's name, processor, GPU or
 * description, or in the words that apply to every product, such as 'case'. `stock: 'low'` selects products for which
 * isLowStock() is true. `order` takes precedence over `sort`.
 */
export interface ProductListRequest extends PageRequest {
  readonly q?: string | undefined;
  readonly inStock?: boolean | undefined;
  readonly stock?: 'low' | undefined;
  readonly order?: 'price' | '-price' | 'name' | undefined;
}

/**
 * Lists every user who has ever signed in and whose account isn't closed. Each word of `q` must occur in the user's
 * e-mail address or name.
 */
export interface UserListRequest extends PageRequest {
  readonly q?: string | undefined;
}

/** Lists all reviews, or only those of items with exactly this `name`. */
export interface ReviewListRequest extends PageRequest {
  readonly name?: string | undefined;
}

/** `after` is the time and the id of the last document of the previous page. */
export interface MoneyRequest {
  readonly from: string;
  readonly to: string;
  readonly after?: { readonly at: string; readonly id: string } | undefined;
  readonly limit: number;
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
 * The number of orders by status. `all` is the sum of the other three counts, so it doesn't include cancelled orders.
 * In a search, a count is null if it might exceed `MOST_COUNTED`.
 */
export type OrderCounts = Readonly<Record<'all' | 'unpaid' | 'paid' | 'shipped', number | null>>;

/** The maximum number of search results that are counted. */
export const MOST_COUNTED = 1_000;

/**
 * Stores one document for each order, product, user, review and balance transaction, and one for the e-mails of each order. Each document has
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
  /**
   * Returns the number of orders placed in each interval between consecutive `times` (ISO 8601). An interval includes
   * its start but not its end. Cancelled orders aren't counted.
   */
  ordersPlacedBetween(times: readonly string[]): Promise<number[]>;
  /**
   * Returns what the shop keeps of all payments for orders paid at or after `time` (ISO 8601), in taka, rounded down to
   * whole taka.
   */
  totalPaidSince(time: string): Promise<number>;
  listProducts(request: ProductListRequest): Promise<Page<ProductDocument>>;
  listUsers(request: UserListRequest): Promise<Page<Documents['user']>>;
  listReviews(request: ReviewListRequest): Promise<Page<Documents['review']>>;
  /**
   * Returns the version that the requested page would have if it were read now. Pages with the same version contain the
   * same documents.
   */
  versionOf<K extends keyof KeptLists>(kind: K, request: KeptLists[K]): Promise<string>;
  /**
   * Returns the ids of products that haven't been removed, newest first. Reads only a database index, not the
   * documents.
   */
  productIds(limit: number): Promise<string[]>;
  /** Returns the products that have exactly this name and haven't been removed. */
  productsNamed(name: string): Promise<ProductDocument[]>;
  /** Counts the products that are low on stock (isLowStock) and haven't been removed. */
  countLowStock(): Promise<number>;
  /** Returns unpaid orders that expire at or before `time` (ISO 8601), earliest first. */
  ordersToExpire(time: string, limit: number): Promise<OrderDocument[]>;
  /**
   * Returns the ids and versions of orders that have an open payment intent or a refund due, sorted by id, starting
   * after `afterId`. An unpaid order is included only if it was placed at or before `placedBy` (ISO 8601).
   */
  ordersWithDueWork(placedBy: string, afterId: string, limit: number): Promise<VersionedId[]>;
  /**
   * Returns the number of orders paid at or after `since` (ISO 8601), and how many of them were shipped within a day of
   * payment. An order that isn't shipped yet is counted only if it was paid more than a day before `now`.
   */
  shippedInADay(since: string, now: string): Promise<{ orders: number; inTime: number }>;
  /**
   * Returns the mail documents in which the claim on an unsent e-mail expired at or before `time` (ISO 8601), earliest
   * expiry first. E-mails that were given up on are ignored.
   */
  mailsToSend(time: string, limit: number): Promise<MailDocument[]>;
  /**
   * Returns the orders for which the shop received money from `from` until `to` (ISO 8601, `to` excluded), in the order
   * of that time and of their ids, starting after `after`.
   */
  ordersWithMoney(request: MoneyRequest): Promise<OrderDocument[]>;
  /** Returns the balance transactions from `from` until `to`, in the order of their times and ids, starting after `after`. */
  balances(request: MoneyRequest): Promise<BalanceDocument[]>;
  /** Returns all balance transactions about these payment intents, oldest first. */
  balancesOf(intents: readonly string[]): Promise<BalanceDocument[]>;
  /** Returns the sorted ids of all admins, according to the events projected so far. */
  adminIds(): Promise<string[]>;
  /** Empties every collection, for a rebuild from the log. */
  clear(): Promise<void>;
}
