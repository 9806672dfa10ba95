import type { Canary } from './canary.ts';

/** Bugs in what happens to an order's money after its payment. */
export const MONEY_CANARIES: readonly Canary[] = [
  {
    name: 'granted-refunds-are-not-counted',
    rule: 'PAY8',
    effect: 'Two admins who refund an order at the same time together give back more than the customer paid.',
    file: 'shop/order/money-of-order.ts',
    replace: ['paidOf(order) - sentBack(order) - stillOwed(order)', 'paidOf(order) - sentBack(order)'],
  },
  {
    name: 'granted-refund-is-made-twice',
    rule: 'PAY8',
    effect: 'Two processes that make the same refund at the same time send the money twice.',
    file: 'shop/payment/refund-flow.ts',
    replace: ['context.stripe.refunds.create(params, options)', 'context.stripe.refunds.create(params)'],
  },
  {
    name: 'refunded-order-is-shipped',
    rule: 'ORD14',
    effect: 'An order is delivered although the customer got all of the money back.',
    file: 'shop/order/decide-order.ts',
    replace: ['if (barred !== null) return', `if (barred === 'order_disputed') return`],
  },
  {
    name: 'disputed-order-is-shipped',
    rule: 'ORD14',
    effect: "An order is delivered although the customer's bank took back the money.",
    file: 'shop/order/decide-order.ts',
    replace: [
      'const barred = whyNotShipped(state);',
      'const barred = isNeverShipped(state) ? whyNotShipped(state) : null;',
    ],
  },
  {
    name: 'refund-during-a-dispute',
    rule: 'PAY9',
    effect: 'An admin is told that a refund was granted, although Stripe refuses to make it.',
    file: 'shop/order/decide-refund.ts',
    replace: [`if (isBarred(state, intent)) return refuse({ code: 'order_disputed', orderId });`, ''],
  },
  {
    name: 'dashboard-refund-is-forgotten',
    rule: 'PAY6',
    effect: "A refund that was made in Stripe's dashboard is ignored, and the order ships.",
    file: 'shop/payment/refund-flow.ts',
    replace: [
      'if (!isNewerRefund(known, reported)) return order;',
      'if (!isNewerRefund(known, reported) || reported.grant === null) return order;',
    ],
  },
  {
    name: 'order-expires-during-its-payment',
    rule: 'PAY7',
    effect: 'An order is cancelled although Stripe is still processing its payment.',
    file: 'shop/order/decide-order.ts',
    replace: ['command.now >= state.expiresAt', 'command.now >= state.paymentDeadline'],
  },
  {
    name: 'reader-moves-on-before-it-records',
    rule: 'LEDGER3',
    effect: "If the shop is killed while it reads Stripe's lists, it never reads some of them again.",
    file: 'shop/ledger/list-reading-flow.ts',
    replace: [
      'for (const entry of [...data].reverse()) await takeNew(entry);\n      const [newest] = data;\n      if (!newest) return;\n',
      'const [newest] = data;\n      if (!newest) return;\n      await move(newest.id);\n      for (const entry of [...data].reverse()) await takeNew(entry);\n',
    ],
  },
  {
    name: 'late-entry-is-skipped',
    rule: 'LEDGER3',
    effect: 'What Stripe lists a minute late is never read, and the month stays short.',
    file: 'shop/ledger/list-reading-flow.ts',
    replace: ['data.find(({ created }) => created <= newest.created - LISTED_WITHIN_S)', 'newest'],
  },
  {
    name: 'refund-given-up-is-forgotten',
    rule: 'PAY6',
    effect: 'After three failed refunds, nobody is told that a customer still waits for the money.',
    file: 'shop/payment/due-work-flow.ts',
    replace: ['if (steps.length + failedRefunds.length === 0)', 'if (steps.length === 0)'],
  },
  {
    name: 'reader-ignores-events',
    rule: 'LEDGER3',
    effect: 'If the webhook about an inquiry is lost, the shop never learns of it.',
    file: 'shop/ledger/stripe-reader-flow.ts',
    replace: [`await attempt('events', () => events.read(state.event)),`, 'null,'],
  },
  {
    name: 'won-dispute-keeps-the-order-back',
    rule: 'PAY9',
    effect: 'An order whose dispute was won is never delivered.',
    file: 'shop/order/money-of-order.ts',
    replace: ['return moves(reported) > moves(known);', 'return moves(reported) < moves(known);'],
  },
  {
    name: 'stored-refusal-is-final',
    rule: 'PAY9',
    effect:
      'A refund that Stripe once refused because of a dispute is not made for a day, although the dispute was won.',
    file: 'shop/payment/stripe-client-flow.ts',
    replace: [
      'error instanceof Stripe.errors.StripeError && error.headers',
      'error instanceof Stripe.errors.StripeError && Number(error.statusCode) >= 500 && error.headers',
    ],
  },
];
