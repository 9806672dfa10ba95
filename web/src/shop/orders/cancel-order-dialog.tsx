import type { OrderView } from '@micro-center/services/contracts/order/order-view.ts';
import { useConfirm } from '../../api/use-confirm.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { isProcessing } from './money-words.ts';
import { useCancelOrderMutation } from './orders.api.ts';

interface CancelOrderDialogProps {
  /** the order to cancel, or null while the dialog is closed */
  order: OrderView | null;
  onClose: () => void;
  /**
   * `title` and `text` override the default wording. Pass them if someone other than the customer cancels the order.
   */
  title?: string;
  text?: (order: OrderView) => string;
}

function ownOrder(order: OrderView): string {
  const { number, quantity, product } = order;
  const money = isProcessing(order) ? ' If your payment still goes through, you get it back.' : '';
  return `Your order ${number} of ${quantity} × ${product} will be cancelled.${money}`;
}

/** Asks for confirmation before cancelling an order. Confirming cancels the order and removes its row (O3). */
export function CancelOrderDialog(props: CancelOrderDialogProps) {
  const { order, onClose, title = 'Delete Order', text = ownOrder } = props;
  const [cancel] = useCancelOrderMutation();
  const confirmed = useConfirm(async () => order && cancel(order._id).unwrap(), onClose);
  return (
    <ConfirmDialog
      opened={order !== null}
      title={title}
      text={order ? text(order) : ''}
      confirmLabel="Cancel order"
      keepLabel="Keep order"
      {...confirmed}
    />
  );
}
