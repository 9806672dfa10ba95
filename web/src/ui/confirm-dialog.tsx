import { Alert, Button, Group, Modal, Text } from '@mantine/core';

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
