import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconCheck, IconCopy, IconShare2 } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { problemText } from '../../api/problem.ts';
import { useLiveAnswer } from '../../live/live-document.ts';
import { trackingLinkOf, useShareTrackingMutation, useWithdrawTrackingMutation } from './tracking-link.api.ts';

/** Gives out an order's tracking link, and takes it back (K6). */
export function ShareTracking({ orderId }: { orderId: string }) {
  const { data, refetch } = useLiveAnswer(trackingLinkOf(orderId));
  const [share, sharing] = useShareTrackingMutation();
  const [withdraw, withdrawing] = useWithdrawTrackingMutation();
  const problem = sharing.error ?? withdrawing.error;
  const token = data?.token ?? null;
  if (data === undefined) return null;
  return (
    <Stack component="section" gap="sm" align="flex-start" aria-label="Tracking link">
      {token === null ? (
        <Button
          variant="default"
          leftSection={<IconShare2 size={18} aria-hidden="true" />}
          ref={withdrawing.isSuccess ? takeFocus : undefined}
          loading={sharing.isLoading}
          onClick={() => {
            withdrawing.reset();
            void share(orderId).then(refetch);
          }}
        >
          Share tracking link
        </Button>
      ) : (
        <SharedLink
          address={`${window.location.origin}/track/${token}`}
          fresh={sharing.isSuccess}
          stopping={withdrawing.isLoading}
          onStop={() => {
            sharing.reset();
            void withdraw(orderId).then(refetch);
          }}
        />
      )}
      <Text size="sm" c="dimmed" role="status">
        {token === null
          ? 'Lets others follow this order without an account. They see no name, address or payment.'
          : 'Whoever has this link can follow the order, until you stop sharing it or 90 days after it was shipped.'}
      </Text>
      {problem ? (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {problemText(problem)}
        </Text>
      ) : null}
    </Stack>
  );
}

/** The button that was pressed has made place for another part. */
const takeFocus = (element: HTMLElement | null) => element?.focus();

type SharedLinkProps = { address: string; fresh: boolean; stopping: boolean; onStop: () => void };

function SharedLink({ address, fresh, stopping, onStop }: SharedLinkProps) {
  const field = useRef<HTMLInputElement>(null);
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (fresh) field.current?.focus();
  }, [fresh]);
  const copy = async () => {
    field.current?.select();
    try {
      await navigator.clipboard.writeText(address);
      setCopied(true);
    } catch {
      // The address is selected: the keyboard copies it.
      field.current?.focus();
    }
  };
  return (
    <Group gap="sm" align="flex-end" w="100%">
      <TextInput
        ref={field}
        label="Tracking link"
        value={address}
        readOnly
        flex="1 1 16rem"
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
      <Button
        size="md"
        variant="default"
        leftSection={copied ? <IconCheck size={18} aria-hidden="true" /> : <IconCopy size={18} aria-hidden="true" />}
        onClick={copy}
      >
        <span role="status">{copied ? 'Copied' : 'Copy link'}</span>
      </Button>
      <Button size="md" variant="default" loading={stopping} onClick={onStop}>
        Stop sharing
      </Button>
    </Group>
  );
}
