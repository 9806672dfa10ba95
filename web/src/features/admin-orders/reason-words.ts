import type { GrantReason, WithdrawalReason } from '@micro-center/services/contracts/order/order-reasons.ts';

export const WITHDRAWAL_WORDS: Readonly<Record<WithdrawalReason, string>> = {
  mistake: 'Shipped by mistake',
  damaged: 'Parcel damaged',
  not_collected: 'Not collected by the carrier',
  address: 'Wrong address',
};

export const GRANT_WORDS: Readonly<Record<GrantReason, string>> = {
  requested: 'The customer asked for it',
  out_of_stock: 'Out of stock',
  damaged: 'Damaged item',
  late: 'Too late',
  price: 'Price corrected',
  other: 'Other reason',
};
