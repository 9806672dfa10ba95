import type { OrderView } from '@micro-center/services/contracts/views.ts';
import { useConfirm } from '../../api/use-confirm.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { useCancelOrderMutation } from './orders.api.ts';

interface CancelOrderDialogProps {
  /** the order that is asked about; null while nothing is */
  order: OrderView | null;
  onClose: () => void;
  /** the words, where another than the customer cancels it */
  title?: string;
  text?: (order: OrderView) => string;
}

const ownOrder = ({ number, quantity, product }: OrderView) =>
  `Your order ${number} of ${quantity} × ${product} will be cancelled.`;

/** Asks before an unpaid order is cancelled; one click does it, and the row goes (O3). */
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
