import { Button, Group, Modal, Text, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { LedgerRow } from '@micro-center/services/contracts/ledger/ledger.ts';
import { FormProblem, useSubmit } from '../../api/use-submit.tsx';
import { type LedgerView, useSetAsideMutation } from './money.api.ts';
import styles from './money-page.module.css';
import { causeText, stateText } from './row-words.ts';

interface RowDialogProps {
  /** null while the dialog is closed */
  row: LedgerRow | null;
  view: LedgerView;
  onClose: () => void;
}

/** Says everything that doesn't match about an order, or asks what money without an order is. */
export function RowDialog({ row, view, onClose }: RowDialogProps) {
  return (
    <Modal
      opened={row !== null}
      onClose={onClose}
      title={row?.order ? `What does not match: ${row.order.number}` : 'Money without an order'}
    >
      {row === null ? null : row.order ? <Reasons row={row} /> : <AsideForm row={row} view={view} onClose={onClose} />}
    </Modal>
  );
}

function Reasons({ row }: { row: LedgerRow }) {
  return (
    <>
      <ul className={styles.reasons}>
        {row.causes.map((one) => (
          <li key={`${one.movement} ${one.about}`}>
            {causeText(one)}
            <Text size="xs" c="dimmed">
              {one.about}
            </Text>
          </li>
        ))}
      </ul>
      <Text mt="md">Open the payment in Stripe, and compare it with the order’s history.</Text>
    </>
  );
}

const LONGEST_NOTE = 500;

function AsideForm({ row, view, onClose }: { row: LedgerRow; view: LedgerView; onClose: () => void }) {
  const [setAside] = useSetAsideMutation();
  const isAside = row.state === 'aside';
  const form = useForm({
    initialValues: { note: row.note },
    validate: { note: (text) => (text.trim() === '' && !isAside ? 'Write what this money is.' : null) },
  });
  const { submit, pending, problem } = useSubmit(form, {
    send: async ({ note }) => {
      await setAside({ id: row.id, note: note.trim(), view }).unwrap();
      onClose();
    },
  });
  return (
    <form onSubmit={submit} noValidate aria-label="Set aside" className={styles.form}>
      <Text className={styles.text}>
        {isAside ? 'This money no longer counts as a difference. Without a note, it counts again.' : stateText(row)}
      </Text>
      {row.namedOrder === null ? null : (
        <Text size="xs" c="dimmed" className={styles.text}>
          Order {row.namedOrder}
        </Text>
      )}
      <Textarea
        label="What is this money?"
        description="For admins only"
        rows={3}
        maxLength={LONGEST_NOTE}
        data-autofocus
        {...form.getInputProps('note')}
      />
      <FormProblem problem={problem} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {isAside ? 'Keep note' : 'Keep in the list'}
        </Button>
        <Button type="submit" loading={pending}>
          {isAside ? 'Save note' : 'Set aside'}
        </Button>
      </Group>
    </form>
  );
}
