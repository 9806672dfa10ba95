import { randomBytes } from 'node:crypto';
import type { BalanceDocument } from '../../contracts/ledger/balance-document.ts';
import type { MailDocument } from '../../contracts/mail/mail-document.ts';
import type { OrderDocument } from '../../contracts/order/order-document.ts';
import type { UserDocument } from '../../contracts/people/user-document.ts';
import type { ProductDocument } from '../../contracts/product/product-document.ts';
import type { ReviewDocument } from '../../contracts/review/review-document.ts';

export function freshId(): string {
  return randomBytes(12).toString('hex');
}

/** Returns the n-th second of a fixed day, in ISO 8601. */
export function second(n: number): string {
  return new Date(Date.UTC(2026, 0, 1) + n * 1000).toISOString();
}

export function sampleOrder(changes: Partial<OrderDocument> = {}): OrderDocument {
  return {
    kind: 'order',
    id: freshId(),
    version: 1,
    createdAt: second(0),
    customer: 'a'.repeat(24),
    name: 'Farida Rahman',
    email: 'farida@example.com',
    phone: '01712345678',
    address: '7 Lake Road',
    productId: 'b'.repeat(24),
    product: 'Tower One',
    quantity: 2,
    price: 450_050,
    total: 9_001,
    status: 'unpaid',
    transactionId: '',
    expiresAt: second(86_400),
    paymentDeadline: second(86_400),
    paidAt: null,
    shippedAt: null,
    cancelledAt: null,
    cancelReason: null,
    refundedAt: null,
    owes: { intents: [], refunds: [] },
    number: 'MC-1042',
    ...changes,
  };
}

export function sampleProduct(changes: Partial<ProductDocument> = {}): ProductDocument {
  return {
    kind: 'product',
    id: freshId(),
    version: 1,
    createdAt: second(0),
    name: 'Tower One',
    img1: '/one.svg',
    img2: '',
    processor: '8-core 3.8 GHz',
    gpu: 'dual',
    rated: 'Gold',
    description: 'Quiet work',
    price: 450_050,
    quantity: 10,
    minorder: 1,
    removed: false,
    ...changes,
  };
}

export function sampleUser(changes: Partial<UserDocument> = {}): UserDocument {
  return {
    kind: 'user',
    id: freshId(),
    version: 1,
    createdAt: second(0),
    uid: 'uid-1',
    email: 'farida@example.com',
    name: 'Farida Rahman',
    role: 'customer',
    address: '',
    phone: '',
    education: '',
    social: '',
    ...changes,
  };
}

export function sampleReview(changes: Partial<ReviewDocument> = {}): ReviewDocument {
  return {
    kind: 'review',
    id: freshId(),
    version: 1,
    createdAt: second(0),
    author: 'a'.repeat(24),
    name: 'Tower One',
    ratings: 4.5,
    username: 'Farida',
    description: 'Quiet and cool.',
    ...changes,
  };
}

/**
 * Returns an order's mail document with one e-mail. The claim on the e-mail expires at `second(claimedUntil)`. If
 * `claimedUntil` is null, the e-mail has already been sent.
 */
export function sampleMail(claimedUntil: number | null, changes: Partial<MailDocument> = {}): MailDocument {
  const until = second(claimedUntil ?? 0);
  const status = claimedUntil === null ? 'sent' : 'claimed';
  return {
    kind: 'mail',
    id: freshId(),
    version: 1,
    createdAt: second(0),
    mails: [{ mail: 'placed', status, claims: 1, since: second(0), until, at: second(0) }],
    claimedUntil: claimedUntil === null ? null : until,
    ...changes,
  };
}

/** Returns a charge of 100 taka that Stripe settled in US dollars. */
export function sampleBalance(changes: Partial<BalanceDocument> = {}): BalanceDocument {
  const id = freshId();
  return {
    kind: 'balance',
    id,
    version: 1,
    createdAt: second(0),
    transaction: `txn_${id}`,
    category: 'charge',
    amount: 82,
    fee: 32,
    net: 50,
    currency: 'usd',
    exchangeRate: 0.0082,
    source: `ch_${id}`,
    shown: { amount: 10_000, currency: 'bdt' },
    intent: `pi_${id}`,
    orderId: null,
    availableOn: second(0),
    aside: '',
    ...changes,
  };
}
