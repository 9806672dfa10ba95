import type { OrderView } from '@micro-center/services/contracts/views.ts';
import { useConfirm } from '../../api/use-confirm.ts';
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
