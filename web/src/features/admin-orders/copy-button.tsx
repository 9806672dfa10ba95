import { ActionIcon } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconAlertCircle, IconCheck, IconCopy } from '@tabler/icons-react';

/** A button that copies `text`. `what` is what the button's label calls the text, for example 'address'. */
export function CopyButton({ text, what }: { text: string; what: string }) {
  const { copy, copied, error } = useClipboard();
  const said = error ? `The ${what} could not be copied` : copied ? 'Copied' : '';
  const Icon = error ? IconAlertCircle : copied ? IconCheck : IconCopy;
  return (
    <>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="sm"
        aria-label={`Copy ${what}`}
        title={said || `Copy ${what}`}
        onClick={() => copy(text)}
      >
        <Icon size={16} aria-hidden="true" />
      </ActionIcon>
      <span role="status" className="mantine-visually-hidden">
        {said}
      </span>
    </>
  );
}
