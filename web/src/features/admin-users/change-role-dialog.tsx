import type { UserView } from '@micro-center/services/contracts/people/user-view.ts';
import { useSelector } from 'react-redux';
import { useConfirm } from '../../api/use-confirm.ts';
import { selectSession } from '../../session/session-slice.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { toast } from '../../ui/toasts.tsx';
import { useMakeAdminMutation, useRemoveAdminMutation } from './admin-users.api.ts';

interface ChangeRoleDialogProps {
  /** the user whose role will change, as they were when the dialog opened. Null while the dialog is closed. */
  user: UserView | null;
  onClose: () => void;
}

/** Asks for confirmation before making a customer an admin, or an admin a customer again. */
export function ChangeRoleDialog({ user, onClose }: ChangeRoleDialogProps) {
  const [makeAdmin] = useMakeAdminMutation();
  const [removeAdmin] = useRemoveAdminMutation();
  const { email: ownEmail } = useSelector(selectSession);
  const isAdmin = user?.role === 'admin';
  const promote = async (email: string) => {
    const { data, error } = await makeAdmin(email);
    if (error) {
      if ('status' in error && error.status === 403) toast.error('Failed to Make an admin !');
      throw error;
    }
    if (data.modifiedCount > 0) toast.success('Successfully made an admin');
    else toast(`${email} is already an admin.`);
  };
  const demote = async (email: string) => {
    const { deletedCount } = await removeAdmin(email).unwrap();
    toast.success(deletedCount > 0 ? `${email} is a customer again.` : `${email} is already a customer.`);
  };
  const confirmed = useConfirm(async () => user && (isAdmin ? demote(user.email) : promote(user.email)), onClose);
  return (
    <ConfirmDialog
      opened={user !== null}
      {...(user === null ? { title: '', text: '' } : question(user, user.email === ownEmail))}
      confirmLabel={isAdmin ? 'Remove admin' : 'Make admin'}
      keepLabel={isAdmin ? 'Keep admin' : 'Keep customer'}
      tone={isAdmin ? 'danger' : 'plain'}
      {...confirmed}
    />
  );
}

function question({ name, email, role }: UserView, isOneself: boolean): { title: string; text: string } {
  const who = name || email;
  if (role !== 'admin') {
    return {
      title: `Make ${who} an admin?`,
      text: `${email} can then see and change every order, product and user. You can remove the role on this page.`,
    };
  }
  if (isOneself) {
    return {
      title: 'Remove yourself as an admin?',
      text: 'You become a customer immediately and lose access to the admin pages. Only another admin can make you an admin again.',
    };
  }
  return {
    title: `Remove ${who} as an admin?`,
    text: `${email} becomes a customer immediately and loses access to the admin pages. You can make them an admin again on this page.`,
  };
}
