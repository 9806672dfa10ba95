import type { Canary } from './canary.ts';
import { ENGINE_CANARIES } from './engine-canaries.ts';
import { LIVE_CANARIES } from './live-canaries.ts';
import { MONEY_CANARIES } from './money-canaries.ts';

const SHOP: readonly Canary[] = [
  {
    name: 'paid-order-expires',
    rule: 'ORD4',
    effect: 'An order that is paid just before its deadline is cancelled as expired, and the shop keeps the money.',
    file: 'shop/order/decide-order.ts',
    replace: [
      'return state.expiresAt !== null && command.now >= state.expiresAt',
      `return command.now >= (state.expiresAt ?? (state.status === 'paid' ? state.paymentDeadline : '~'))`,
    ],
  },
  {
    name: 'withdrawal-of-another-shipment',
    rule: 'ORD11',
    effect: "An admin's late request to withdraw the first shipment withdraws the order's second shipment.",
    file: 'shop/order/decide-order.ts',
    replace: [`if (shippedAt === null || shipmentsOf(state) !== shipment)`, `if (shippedAt === null)`],
  },
  {
    name: 'refund-that-fails-late-is-not-repeated',
    rule: 'PAY6',
    effect:
      'If the bank sends a completed refund back, the shop never tries again, so the customer never gets the money.',
    file: 'shop/order/order.ts',
    replace: [
      `return withIntent(intents, intent, { status: 'refund_due', failedRefunds });`,
      'return withIntent(intents, intent, { failedRefunds });',
    ],
  },
  {
    name: 'withdrawn-shipment-keeps-its-parcel',
    rule: 'ORD12',
    effect:
      "After a shipment is withdrawn, the order and its next shipment still show the old parcel's tracking number.",
    file: 'shop/order/project-order.ts',
    replace: ['...(before.parcel && { parcel: null }),', ''],
  },
  {
    name: 'one-unpaid-order-too-many',
    rule: 'ORD7',
    effect: 'A customer can have one unpaid order more than the limit allows.',
    file: 'shop/order/decide-allowance.ts',
    replace: ['others.length >= most', 'others.length > most'],
  },
  {
    name: 'split-orders-are-held-for-long',
    rule: 'ORD6',
    effect:
      "A customer who takes most of a product's stock with several small orders holds it for a day instead of 30 minutes.",
    file: 'shop/order/decide-allowance.ts',
    replace: ['const takesMuch = held > offered / 2', 'const takesMuch = quantity > offered / 2'],
  },
  {
    name: 'stock-corrected-from-an-old-page',
    rule: 'ORD2',
    effect:
      'An admin who corrects the stock from an outdated page cancels out the sales made since, so the shop sells pieces that it does not have.',
    file: 'shop/product/decide-product.ts',
    replace: ['command.stock.seenVersion !== version', 'command.stock.seenVersion > version'],
  },
  {
    name: 'stock-returned-twice',
    rule: 'ORD5',
    effect: "A cancelled order's pieces are put back in stock a second time if its cancellation is delivered again.",
    file: 'shop/product/decide-product.ts',
    replace: ['if (context.prior.length > 0) return NOTHING_TO_DO;', ''],
  },
];

const PLACEMENT: readonly Canary[] = [
  {
    name: 'refused-repeat-frees-a-number',
    rule: 'ORD8',
    effect: "After a customer's repeated request is refused, the next order gets the number of that customer's order.",
    file: 'shop/order/place-order-flow.ts',
    replace: ['if (known === undefined && reduction?.data', 'if (reduction?.data'],
  },
  {
    name: 'number-freed-after-a-lost-answer',
    rule: 'ORD8',
    effect: 'If the log records an order but its reply is lost, the next order gets the same number.',
    file: 'shop/order/place-order-flow.ts',
    replace: [
      `{ bypassLimits: true },
  );
  const yielded`,
      `{ bypassLimits: true },
  ).catch((error: unknown) => {
    if (known === undefined) numbers.giveBack(number);
    throw error;
  });
  const yielded`,
    ],
  },
  {
    name: 'retry-is-refused-for-its-own-stock',
    rule: 'CMD3',
    effect:
      'A customer who retries an interrupted order for the last pieces is told that the stock is too low, and gets the order anyway.',
    file: 'shop/order/take-hold-flow.ts',
    replace: [
      `if (decision.kind === 'refused' && !(await mayHaveTakenStock(handler, command, allowance))) return decision;`,
      `if (decision.kind === 'refused') return decision;`,
    ],
  },
  {
    name: 'placement-under-way-loses-its-slot',
    rule: 'ORD7',
    effect: 'A customer who sends many orders at the same moment gets more unpaid orders than the limit allows.',
    file: 'shop/order/take-hold-flow.ts',
    replace: [`return { hold, standing: abandoned ? 'ended' : 'pending' };`, `return { hold, standing: 'ended' };`],
  },
];

const PAYMENTS: readonly Canary[] = [
  {
    name: 'payment-before-expiry-is-not-looked-up',
    rule: 'ORD6',
    effect: 'An order that was paid in time expires if its webhook is lost.',
    file: 'shop/payment/due-work-flow.ts',
    replace: [
      `if (step.kind === 'reconcile') await take(orderId, step);`,
      `if (step.kind === 'reconcile' && nextTryOf(step) <= clock()) await take(orderId, step);`,
    ],
  },
  {
    name: 'outage-is-never-over',
    rule: 'PAY4',
    effect: 'After Stripe has been down for a moment, no customer gets a refund until the shop is restarted.',
    file: 'shop/payment/due-work-flow.ts',
    replace: [
      `beginRound(): void {
      unavailable = 0;`,
      'beginRound(): void {',
    ],
  },
  {
    name: 'walk-never-starts-over',
    rule: 'PAY5',
    effect: 'A refund or a look-up that fails once is never tried again for most orders.',
    file: 'shop/payment/scan-orders-flow.ts',
    replace: ['walk = { failed: [] };', 'walk = { ...walk, failed: [] };'],
  },
  {
    name: 'refund-under-one-key',
    rule: 'PAY4',
    effect: 'After a refund has failed, Stripe repeats the failure each time, so the customer never gets the money.',
    file: 'shop/payment/refund-flow.ts',
    replace: ['const key = failedRefunds.length === 0 ?', 'const key = failedRefunds.length < MAX_REFUNDS ?'],
  },
  {
    name: 'pending-refund-counts-as-made',
    rule: 'PAY6',
    effect: 'An order is shown as refunded, and the customer is told so, while the bank may still send the money back.',
    file: 'shop/payment/refund-flow.ts',
    replace: [`data.filter(({ status }) => status === 'succeeded')`, 'data.filter((one) => !hasFailed(one))'],
  },
  {
    name: 'webhook-acknowledged-during-an-outage',
    rule: 'PAY3',
    effect:
      'The shop confirms a message from Stripe that it could not act on, so it never learns that a refund failed.',
    file: 'shop/payment/webhook-routes.ts',
    replace: [
      `if (error instanceof PaymentUnavailable) return 'payment_unavailable';`,
      'if (error instanceof PaymentUnavailable) return null;',
    ],
  },
];

const MAIL: readonly Canary[] = [
  {
    name: 'mail-to-a-former-address',
    rule: 'MAIL3',
    effect: 'An e-mail about an order goes to an address that the account no longer has.',
    file: 'shop/mail/outgoing-mail-flow.ts',
    replace: ['!account.disabled && account.email === user.email ?', '!account.disabled ?'],
  },
  {
    name: 'mail-pause-never-shrinks',
    rule: 'MAIL4',
    effect: 'After the mail server has failed a few times, each later failure stops all e-mails for a minute.',
    file: 'shop/mail/mail-sender-flow.ts',
    replace: ['failures = 0;', ''],
  },
  {
    name: 'two-copies-send-one-mail',
    rule: 'MAIL1',
    effect: 'A customer gets the same e-mail from two copies of the shop.',
    file: 'shop/mail/decide-mail.ts',
    replace: [`(known.status !== 'claimed' || known.until > now)`, `known.status !== 'claimed'`],
  },
  {
    name: 'mail-about-an-undone-shipment',
    rule: 'MAIL2',
    effect:
      'A customer whose order is shipped, undone and shipped again within seconds gets two e-mails about one parcel.',
    file: 'shop/mail/order-mails.ts',
    replace: [
      `if (status !== 'shipped' || shipments !== Number(shipment)) return null;`,
      `if (status !== 'shipped') return null;`,
    ],
  },
];

const PEOPLE: readonly Canary[] = [
  {
    name: 'revoked-admin-returns-at-sign-in',
    rule: 'AUTH2',
    effect: 'A former admin whose address is in ADMIN_EMAILS is an admin again after the next sign-in.',
    file: 'shop/people/decide-user.ts',
    replace: ['if (grantAdmin && state.grants === 0)', 'if (grantAdmin && !state.admin)'],
  },
  {
    name: 'last-admin-can-be-revoked',
    rule: 'AUTH2',
    effect: "The last admin's role can be revoked, and then nobody can ship an order.",
    file: 'shop/people/admins.ts',
    replace: ['.some(([other, { listed }]) => listed && other !== userId)', '.some(([other]) => other !== userId)'],
  },
  {
    name: 'erased-order-keeps-its-phone',
    rule: 'ERASE1',
    effect: "Admins still see an erased customer's phone number on the board.",
    file: 'shop/order/project-order.ts',
    replace: ['email: ERASED, phone: ERASED, address: ERASED', 'email: ERASED, address: ERASED'],
  },
  {
    name: 'erasure-is-tried-once',
    rule: 'ERASE1',
    effect: "If an erasure is interrupted, the person's account is closed but the data stays forever.",
    file: 'process/policies.ts',
    replace: ['if (!done) notDone.add(event.id);', ''],
  },
  {
    name: 'key-deleted-before-the-parcel-ships',
    rule: 'ERASE1',
    effect: 'An order that is paid while its customer is being erased loses its address before it can be shipped.',
    file: 'shop/people/erase-person-flow.ts',
    replace: ['if (paid.length > 0) throw new OrdersOnTheirWay(paid);', ''],
  },
];

export const CANARIES: readonly Canary[] = [
  ...SHOP,
  ...LIVE_CANARIES,
  ...MONEY_CANARIES,
  ...ENGINE_CANARIES,
  ...PLACEMENT,
  ...PAYMENTS,
  ...MAIL,
  ...PEOPLE,
];
