import type { OrderView } from '@micro-center/services/contracts/views.ts';
import { problemText } from '../../api/problem.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { useCancelOrderMutation } from './orders.api.ts';

/** Asks before an unpaid order is cancelled; one click does it, and the row goes (O3). */
export function DeleteOrderDialog({ order, onClose }: { order: OrderView | null; onClose: () => void }) {
  const [cancel, { isLoading, error, reset }] = useCancelOrderMutation();
  const close = () => {
    reset();
    onClose();
  };
  const confirm = async () => {
    if (order === null) return;
    const answer = await cancel(order._id);
    if (answer.error === undefined) close();
  };
  return (
    <ConfirmDialog
      opened={order !== null}
      title="Delete Order"
      text={order ? `Your order of ${order.quantity} × ${order.product} will be cancelled.` : ''}
      confirmLabel="Delete"
      keepLabel="Keep order"
      busy={isLoading}
      problem={error ? problemText(error) : null}
      onConfirm={confirm}
      onClose={close}
    />
  );
}
