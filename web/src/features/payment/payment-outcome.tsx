import type { OrderView } from '@micro-center/services/contracts/order/order-view.ts';
import { isProcessing, moneyBackTexts, PROCESSING, processingText } from '../../shop/orders/money-words.ts';
import { orderPagePath } from '../../shop/orders/orders.api.ts';
import { formatTime } from '../../ui/format.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { EmptyState } from '../../ui/states.tsx';

export function ToMyOrders() {
  return (
    <LinkButton to="/dashboard/myorders" variant="default">
      My orders
    </LinkButton>
  );
}

/** Shown instead of the card field if the order can't be paid for. Explains why it can't. */
export function NothingToPay({ order }: { order: OrderView }) {
  return (
    <EmptyState
      {...wordsOf(order)}
      action={<LinkButton to={orderPagePath(order._id)}>See order {order.number}</LinkButton>}
    />
  );
}

const WHY_CANCELLED = {
  customer: 'You cancelled this order, so there is nothing to pay.',
  admin: 'The shop cancelled this order, so there is nothing to pay.',
  expired: 'It was not paid in time, so it was cancelled.',
};

function wordsOf(order: OrderView): { title: string; text: string } {
  if (order.cancelledAt !== null) {
    const why = WHY_CANCELLED[order.cancelReason ?? 'customer'];
    const refunded = order.refundedAt ? ` A payment for it was refunded on ${formatTime(order.refundedAt)}.` : '';
    return { title: 'This order is cancelled.', text: why + refunded };
  }
  if (isProcessing(order)) return { title: PROCESSING, text: processingText(order) };
  const paid = order.paidAt ? `Paid ${formatTime(order.paidAt)}` : 'Paid';
  const money = moneyBackTexts(order).map((text) => ` ${text}.`);
  if (order.shippedAt === null) {
    return { title: 'This order is paid.', text: `${paid}. There is nothing more to pay.${money.join('')}` };
  }
  return {
    title: 'This order is shipped.',
    text: `${paid}, shipped ${formatTime(order.shippedAt)}.${money.join('')}`,
  };
}
