import { Alert, Button, Group, Modal, Text } from '@mantine/core';

type ConfirmDialogProps = {
  opened: boolean;
  title: string;
  text: string;
  confirmLabel: string;
  keepLabel: string;
  /** `plain` for an action that isn't destructive */
  tone?: 'danger' | 'plain';
  busy: boolean;
  /** a sentence that says why the last attempt failed */
  problem?: string | null;
  onConfirm: () => void;
  onClose: () => void;
};

/** Asks the user to confirm an action, and calls `onConfirm` when the user clicks the confirm button. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  return (
    <Modal opened={props.opened} onClose={props.onClose} title={props.title}>
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
