import type { Declarations } from '../contracts/document-queries.ts';
import { balances } from './ledger/balance-documents.ts';
import { mails } from './mail/mail-documents.ts';
import { orders } from './order/order-documents.ts';
import { users } from './people/user-documents.ts';
import { products } from './product/product-documents.ts';
import { reviews } from './review/review-documents.ts';

export const shopDocuments: Declarations = {
  order: orders,
  product: products,
  user: users,
  review: reviews,
  mail: mails,
  balance: balances,
};
