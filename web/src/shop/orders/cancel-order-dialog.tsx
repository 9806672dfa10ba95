import type { OrderView } from '@micro-center/services/contracts/views.ts';
import { problemText } from '../../api/problem.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { useCancelOrderMutation } from './orders.api.ts';

interface CancelOrderDialogProps {
  /** the order that is asked about; null while nothing is */
  order: OrderView | null;
  title: string;
  text: (order: OrderView) => string;
  onClose: () => void;
}

/** Asks before an unpaid order is cancelled; one click does it, and the row goes (O3). */
export function CancelOrderDialog({ order, title, text, onClose }: CancelOrderDialogProps) {
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
      title={title}
      text={order ? text(order) : ''}
      confirmLabel="Cancel order"
      keepLabel="Keep order"
      busy={isLoading}
      problem={error ? problemText(error) : null}
      onConfirm={confirm}
      onClose={close}
    />
  );
}
