import { Button, Checkbox, Group, NativeSelect, SegmentedControl, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { GRANT_REASONS, type GrantReason } from '@micro-center/services/contracts/order/order-reasons.ts';
import type { OrderView } from '@micro-center/services/contracts/order/order-view.ts';
import { latinDigits } from '@micro-center/services/contracts/plain-text.ts';
import { useEffect, useRef } from 'react';
import { hasProblemCode, problemText } from '../../api/problem.ts';
import { useConfirm } from '../../api/use-confirm.ts';
import { useDraft, useOpenForm } from '../../session/use-draft.ts';
import { usePageState } from '../../session/use-page-state.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { formatTaka } from '../../ui/format.ts';
import { leftToRefund, useRefundOrderMutation } from './admin-orders.api.ts';
import styles from './order-drawer.module.css';
import { GRANT_WORDS } from './reason-words.ts';

/** The button that opens the refund form, and the form. Renders nothing if nothing of the order's payment is left. */
export function Refund({ order }: { order: OrderView }) {
  const [isOpen, setOpen] = useOpenForm(refundDraft(order._id));
  if (leftToRefund(order) === 0) return null;
  if (isOpen) return <RefundForm order={order} onClose={() => setOpen(false)} />;
  return (
    <Button variant="default" size="compact-sm" onClick={() => setOpen(true)}>
      Refund
    </Button>
  );
}

export const refundDraft = (orderId: string) => `refund ${orderId}`;

/** What an admin is about to grant: the form's values and the order's version when the confirmation opened. */
interface Asked {
  amount: number;
  reason: GrantReason;
  note: string;
  version: number;
  cancel: boolean;
}

const REASONS = GRANT_REASONS.map((value) => ({ value, label: GRANT_WORDS[value] }));
const LONGEST_NOTE = 500;

/** Reads an amount in taka, with at most two decimals. Returns null if the text isn't one. */
export function readAmount(text: string): number | null {
  const digits = latinDigits(text).replaceAll(/[\s,৳]/g, '');
  return /^\d+(\.\d{1,2})?$/.test(digits) ? Number(digits) : null;
}

function amountProblem(text: string, left: number): string | null {
  const amount = readAmount(text);
  if (amount === null || amount === 0) return 'Enter an amount in taka.';
  return amount > left ? `At most ${formatTaka(left)} is left.` : null;
}

function RefundForm({ order, onClose }: { order: OrderView; onClose: () => void }) {
  const left = leftToRefund(order);
  const [asked, setAsked] = usePageState<Asked | null>(`refund asked of ${order._id}`, null);
  const form = useForm({
    initialValues: { share: 'all', amount: '', reason: 'requested' as GrantReason, note: '', cancel: true },
    validate: { amount: (text, { share }) => (share === 'all' ? null : amountProblem(text, left)) },
  });
  const draft = useDraft(form, refundDraft(order._id));
  const { share, amount: text } = form.getValues();
  const amount = share === 'all' ? left : readAmount(text);
  const canCancel = order.status !== 'shipped' && order.cancelledAt === null && amount === left;
  const place = useRef<HTMLFormElement>(null);
  useEffect(() => place.current?.focus(), []);
  const submit = form.onSubmit(({ reason, note, cancel }) => {
    if (amount === null) return;
    setAsked({ amount, reason, note: note.trim(), version: order.version, cancel: canCancel && cancel });
  });
  return (
    <form
      ref={place}
      tabIndex={-1}
      data-autofocus
      onSubmit={submit}
      className={styles.refund}
      noValidate
      aria-label="Refund"
    >
      <SegmentedControl
        fullWidth
        size="xs"
        aria-label="How much"
        data={[
          { value: 'all', label: `All that is left, ${formatTaka(left)}` },
          { value: 'part', label: 'A part' },
        ]}
        {...form.getInputProps('share')}
      />
      {share === 'all' ? null : (
        <TextInput label="Amount in taka" inputMode="decimal" autoComplete="off" {...form.getInputProps('amount')} />
      )}
      <NativeSelect label="Reason" size="md" data={REASONS} {...form.getInputProps('reason')} />
      <Textarea label="Note, for admins only" rows={2} maxLength={LONGEST_NOTE} {...form.getInputProps('note')} />
      {canCancel ? (
        <Checkbox label="Cancel the order too" {...form.getInputProps('cancel', { type: 'checkbox' })} />
      ) : null}
      <Group gap="sm" grow>
        <Button type="submit" variant="default" c="var(--text-danger)">
          Refund{amount === null ? '' : ` ${formatTaka(amount)}`}
        </Button>
        <Button variant="default" onClick={onClose}>
          Keep payment
        </Button>
      </Group>
      <ConfirmRefund order={order} asked={asked} draft={draft} onClose={() => setAsked(null)} />
    </form>
  );
}

interface ConfirmRefundProps {
  order: OrderView;
  /** null while the dialog is closed */
  asked: Asked | null;
  draft: ReturnType<typeof useDraft>;
  onClose: () => void;
}

/** Asks for confirmation and grants the refund. The form closes once the refund is granted (PAY8). */
function ConfirmRefund({ order, asked, draft, onClose }: ConfirmRefundProps) {
  const [refund] = useRefundOrderMutation();
  const grant = async () => asked && draft.send((key) => refund({ id: order._id, key, ...asked }).unwrap());
  const confirmed = useConfirm(grant, onClose, whyNotRefunded);
  return (
    <ConfirmDialog
      opened={asked !== null}
      title={asked ? `Refund ${formatTaka(asked.amount)}?` : ''}
      text={asked ? whatWillHappen(order, asked) : ''}
      confirmLabel={asked?.cancel ? 'Refund and cancel' : 'Refund'}
      keepLabel="Keep payment"
      {...confirmed}
    />
  );
}

function whatWillHappen(order: OrderView, { amount, cancel }: Asked): string {
  const { number, name, quantity, product, totalPrice, status, cancelledAt } = order;
  const part =
    amount === totalPrice ? `All ${formatTaka(amount)}` : `${formatTaka(amount)} of the ${formatTaka(totalPrice)}`;
  const money = `${part} for order ${number} goes back to the card that ${name} paid with. This cannot be undone.`;
  if (cancel) return `${money} The order will be cancelled, and ${quantity} × ${product} goes back on the shelf.`;
  const isHeldBack = amount === leftToRefund(order) && status !== 'shipped' && cancelledAt === null;
  return isHeldBack ? `${money} The order stays on the board, but it can no longer be shipped.` : money;
}

function whyNotRefunded(error: unknown): string {
  if (hasProblemCode(error, 'stale_version')) {
    return 'This order has changed since you saw it. Check it, then refund again.';
  }
  if (hasProblemCode(error, 'idempotency_key_reused')) {
    return 'An earlier attempt did go through. Refund again if you want this one as well.';
  }
  return problemText(error);
}
