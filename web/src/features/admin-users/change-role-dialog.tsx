import type { UserView } from '@micro-center/services/contracts/views.ts';
import { problemText } from '../../api/problem.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { toast } from '../../ui/toasts.tsx';
import { useMakeAdminMutation, useRemoveAdminMutation } from './admin-users.api.ts';

interface ChangeRoleDialogProps {
  /** whose role to change, as it was when asked; null while closed */
  user: UserView | null;
  onClose: () => void;
}

/** Asks before a customer becomes an admin, or an admin a customer again. */
export function ChangeRoleDialog({ user, onClose }: ChangeRoleDialogProps) {
  const [makeAdmin, making] = useMakeAdminMutation();
  const [removeAdmin, removing] = useRemoveAdminMutation();
  const change = user?.role === 'admin' ? removing : making;
  const isAdmin = user?.role === 'admin';
  const close = () => {
    making.reset();
    removing.reset();
    onClose();
  };
  const promote = async (email: string) => {
    const { data, error } = await makeAdmin(email);
    if (error) {
      if ('status' in error && error.status === 403) toast.error('Failed to Make an admin !');
      return;
    }
    close();
    if (data.modifiedCount > 0) toast.success('Successfully made an admin');
    else toast(`${email} is an admin already.`);
  };
  const demote = async (email: string) => {
    const { data, error } = await removeAdmin(email);
    if (error) return;
    close();
    toast.success(data.deletedCount > 0 ? `${email} is a customer again.` : `${email} is a customer already.`);
  };
  return (
    <ConfirmDialog
      opened={user !== null}
      title="Are you sure?"
      text={
        isAdmin
          ? `${user?.email} will no longer see or change the shop's orders, products and users.`
          : `${user?.email ?? 'This person'} will see and change all orders, products and users of the shop.`
      }
      confirmLabel={isAdmin ? 'Remove admin' : 'Make admin'}
      keepLabel={isAdmin ? 'Keep admin' : 'Keep customer'}
      busy={change.isLoading}
      problem={change.error ? problemText(change.error) : null}
      onConfirm={() => user && (isAdmin ? demote(user.email) : promote(user.email))}
      onClose={close}
    />
  );
}
