import { CloseButton, Dialog, Group, Text } from '@mantine/core';

type NoticeProps = { title: string; text: string; opened: boolean; onClose: () => void };

/** An alert in the corner that stays until the user closes it. It doesn't shift the page's content. */
export function Notice({ title, text, opened, onClose }: NoticeProps) {
  return (
    <Dialog
      opened={opened}
      withBorder
      position={{ bottom: 24, left: 24 }}
      size="md"
      role="alertdialog"
      aria-label={title}
      aria-live="assertive"
    >
      <Group justify="space-between" wrap="nowrap">
        <Text fw={600}>{title}</Text>
        <CloseButton onClick={onClose} aria-label="Close" />
      </Group>
      <Text size="sm" mt="xs">
        {text}
      </Text>
    </Dialog>
  );
}
