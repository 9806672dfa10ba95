import { Alert, Button, Group, Modal, Text } from '@mantine/core';
import { useLayoutEffect, useRef } from 'react';

type ConfirmDialogProps = {
  opened: boolean;
  title: string;
  text: string;
  confirmLabel: string;
  keepLabel: string;
  /** `plain` where nothing is taken away */
  tone?: 'danger' | 'plain';
  busy: boolean;
  /** why the last try failed, in a sentence */
  problem?: string | null;
  onConfirm: () => void;
  onClose: () => void;
};

/** Asks before something that matters. One click on the confirming button does it. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const focusRow = useRowOfOpener(props.opened);
  return (
    <Modal opened={props.opened} onClose={props.onClose} title={props.title} onExitTransitionEnd={focusRow}>
      <Text>{props.text}</Text>
      {props.problem ? (
        <Alert color="red" mt="md" role="alert">
          {props.problem}
        </Alert>
      ) : null}
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={props.onClose} disabled={props.busy} data-autofocus>
          {props.keepLabel}
        </Button>
        <Button color={props.tone === 'plain' ? undefined : 'red'} onClick={props.onConfirm} loading={props.busy}>
          {props.confirmLabel}
        </Button>
      </Group>
    </Modal>
  );
}

/**
 * Returns what gives the focus to the row that took the place of the opener's, in the same column. The modal itself gives it
 * back to the opener; where that went with its row, the focus would fall to the body.
 */
function useRowOfOpener(opened: boolean): () => void {
  const opener = useRef<{ table: Element; row: number; cell: number } | null>(null);
  useLayoutEffect(() => {
    if (!opened) return;
    const cell = document.activeElement?.closest('td');
    const row = cell?.closest('tr');
    const table = row?.closest('table');
    const at = Number(row?.getAttribute('aria-rowindex'));
    opener.current = cell && row && table ? { table, row: at, cell: cell.cellIndex } : null;
  }, [opened]);
  return () => {
    if (opener.current === null || document.activeElement !== document.body) return;
    const { table, row, cell } = opener.current;
    const heir = [row, row - 1].map((at) => table.querySelector<HTMLTableRowElement>(`tr[aria-rowindex="${at}"]`));
    const target = heir.find((found) => found?.cells[cell]?.querySelector('button, a'));
    target?.cells[cell]?.querySelector<HTMLElement>('button, a')?.focus();
  };
}
