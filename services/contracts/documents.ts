import type { BalanceDocument } from './ledger/balance-document.ts';
import type { MailDocument } from './mail/mail-document.ts';
import type { OrderDocument } from './order/order-document.ts';
import type { UserDocument } from './people/user-document.ts';
import type { ProductDocument } from './product/product-document.ts';
import type { ReviewDocument } from './review/review-document.ts';

export interface Documents {
  order: OrderDocument;
  product: ProductDocument;
  user: UserDocument;
  review: ReviewDocument;
  mail: MailDocument;
  balance: BalanceDocument;
}
export type AnyDocument = Documents[keyof Documents];
