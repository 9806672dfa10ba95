import type { OrderView } from '@micro-center/services/contracts/order/order-view.ts';
import { useConfirm } from '../../api/use-confirm.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { isProcessing } from './money-words.ts';
import { useCancelOrderMutation } from './orders.api.ts';

interface CancelOrderDialogProps {
  /** the order to cancel, or null while the dialog is closed */
  order: OrderView | null;
  onClose: () => void;
  /** whether an admin cancels the order, and not its customer */
  byAdmin?: boolean;
}

function customersOrder({ number, quantity, product, name, paid }: OrderView): string {
  const order = `Order ${number} of ${quantity} × ${product} by ${name} will be cancelled`;
  return paid ? `${order}, and its items go back on the shelf.` : `${order}.`;
}

function ownOrder(order: OrderView): string {
  const { number, quantity, product } = order;
  const money = isProcessing(order) ? ' If your payment still goes through, you get it back.' : '';
  return `Your order ${number} of ${quantity} × ${product} will be cancelled.${money}`;
}

/** Asks for confirmation before cancelling an order. Confirming cancels the order and removes its row (O3). */
export function CancelOrderDialog({ order, onClose, byAdmin = false }: CancelOrderDialogProps) {
  const [cancel] = useCancelOrderMutation();
  const confirmed = useConfirm(async () => order && cancel(order._id).unwrap(), onClose);
  return (
    <ConfirmDialog
      opened={order !== null}
      title={byAdmin ? 'Are you sure?' : 'Delete Order'}
      text={order ? (byAdmin ? customersOrder : ownOrder)(order) : ''}
      confirmLabel="Cancel order"
      keepLabel="Keep order"
      {...confirmed}
    />
  );
}
