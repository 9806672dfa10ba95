import type { WithdrawalReason } from '@micro-center/services/contracts/reasons.ts';

export const WITHDRAWAL_WORDS: Readonly<Record<WithdrawalReason, string>> = {
  mistake: 'Shipped by mistake',
  damaged: 'Parcel damaged',
  not_collected: 'Not collected by the carrier',
  address: 'Wrong address',
};
