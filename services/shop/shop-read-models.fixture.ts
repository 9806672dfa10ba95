import type { Query } from '../contracts/document-queries.ts';
import type { PageRequest, ReadModels } from '../engine/read-models/read-models.ts';
import { balancesBetween, balancesOf } from './ledger/balance-documents.ts';
import { mailsToSend } from './mail/mail-documents.ts';
import {
  type OrderListQuery,
  orderList,
  ordersByShipping,
  ordersPaid,
  ordersPlaced,
  ordersToExpire,
  ordersWithDueWork,
} from './order/order-documents.ts';
import { allAdmins, type UserListQuery, userList } from './people/user-documents.ts';
import { type ProductListQuery, productList, productsNamed } from './product/product-documents.ts';
import { type ReviewListQuery, reviewList } from './review/review-documents.ts';

const TIME = '2026-02-03T04:00:00.000Z';
const SORTS = ['oldest', 'newest'] as const;

/** Every query that the shop makes, without searches. */
export const ALL_QUERIES: readonly Query[] = [
  ...SORTS.flatMap((sort) => [
    orderList({ sort }),
    orderList({ sort, status: 'paid' }),
    orderList({ sort, customer: 'a' }),
    orderList({ sort, customer: 'a', status: 'paid' }),
    ...(['price', '-price', 'name', undefined] as const).flatMap((order) => [
      productList({ sort, order, inStock: true }),
      productList({ sort, order, inStock: false }),
      productList({ sort, order, stock: 'low' }),
      productList({ sort, order }),
    ]),
    userList({ sort }),
    reviewList({ sort }),
    reviewList({ sort, name: 'Tower One' }),
  ]),
  productsNamed('Tower One'),
  ordersPlaced(TIME, TIME),
  ordersPaid(TIME),
  ordersPaid(TIME, TIME),
  ordersByShipping('open', TIME, TIME),
  ordersToExpire(TIME),
  ordersWithDueWork(TIME),
  mailsToSend(TIME),
  allAdmins,
  balancesBetween(),
  balancesBetween(TIME, TIME),
  balancesOf(['pi_1']),
];

/** Runs the shop's queries on read models. Each function passes its arguments on to the query of the same name. */
export function askingShop(models: ReadModels) {
  return {
    orderList: (asked: OrderListQuery & PageRequest) => models.page(orderList(asked), asked),
    productList: (asked: ProductListQuery & PageRequest) => models.page(productList(asked), asked),
    userList: (asked: UserListQuery & PageRequest) => models.page(userList(asked), asked),
    reviewList: (asked: ReviewListQuery & PageRequest) => models.page(reviewList(asked), asked),
    productsNamed: (name: string) => models.find(productsNamed(name)),
    ordersPlaced: (from: string, before: string) => models.count(ordersPlaced(from, before)),
    ordersPaid: (from: string, before: string, limit?: number, after?: { key: string; id: string }) =>
      models.find(ordersPaid(from, before), { limit, after }),
    ordersToExpire: (time: string, limit?: number) => models.find(ordersToExpire(time), { limit }),
    ordersWithDueWork: (placedBy: string) => models.findIds(ordersWithDueWork(placedBy)),
    mailsToSend: (time: string, limit?: number) => models.find(mailsToSend(time), { limit }),
    balancesBetween: (from: string, before: string, limit?: number, after?: { key: string; id: string }) =>
      models.find(balancesBetween(from, before), { limit, after }),
    balancesOf: (intents: readonly string[]) => models.find(balancesOf(intents)),
    allAdmins: async () => (await models.findIds(allAdmins)).map(({ id }) => id),
  };
}
