import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconCheck, IconCopy, IconShare2 } from '@tabler/icons-react';
import { type ReactNode, useRef, useState } from 'react';
import { problemText } from '../../api/problem.ts';
import { useLiveAnswer } from '../../live/use-live-document.ts';
import { useKeptFocus } from '../../ui/use-kept-focus.ts';
import { trackingLinkOf, useShareTrackingMutation, useWithdrawTrackingMutation } from './orders.api.ts';

/**
 * Lets the customer share an order's tracking link and withdraw it (K6). Sharing replaces the button with the link, and
 * withdrawing replaces the link with the button. In both cases, the focus moves to the new element marked
 * `data-focus-heir` (`useKeptFocus`).
 */
export function ShareTracking({ orderId }: { orderId: string }) {
  const { data, refetch } = useLiveAnswer(trackingLinkOf(orderId));
  const [share, sharing] = useShareTrackingMutation();
  const [withdraw, withdrawing] = useWithdrawTrackingMutation();
  useKeptFocus();
  if (data === undefined) return null;
  const isShared = data.token !== null;
  const { error } = isShared ? withdrawing : sharing;
  return (
    <Stack component="section" gap="sm" align="flex-start" aria-label="Tracking link">
      {isShared ? (
        <SharedLink address={`${window.location.origin}/track/${data.token}`}>
          <Button
            size="md"
            variant="default"
            loading={withdrawing.isLoading}
            onClick={() => withdraw(orderId).then(refetch)}
          >
            Stop sharing
          </Button>
        </SharedLink>
      ) : (
        <Button
          data-focus-heir
          variant="default"
          leftSection={<IconShare2 size={18} aria-hidden="true" />}
          loading={sharing.isLoading}
          onClick={() => share(orderId).then(refetch)}
        >
          Share tracking link
        </Button>
      )}
      <Text size="sm" c="dimmed" role="status">
        {isShared
          ? 'Anyone with this link can follow the order until you stop sharing it, or until 90 days after it ships.'
          : 'Others can follow this order without an account. They will not see your name, address or payment.'}
      </Text>
      {error ? (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {problemText(error)}
        </Text>
      ) : null}
    </Stack>
  );
}

function SharedLink({ address, children }: { address: string; children: ReactNode }) {
  const field = useRef<HTMLInputElement>(null);
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    field.current?.select();
    try {
      await navigator.clipboard.writeText(address);
      setCopied(true);
    } catch {
      // The link is selected, so the user can copy it with the keyboard.
      field.current?.focus();
    }
  };
  const Icon = copied ? IconCheck : IconCopy;
  return (
    <Group gap="sm" align="flex-end" w="100%">
      <TextInput
        ref={field}
        data-focus-heir
        label="Tracking link"
        value={address}
        readOnly
        flex="1 1 16rem"
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
      <Button size="md" variant="default" leftSection={<Icon size={18} aria-hidden="true" />} onClick={copy}>
        <span role="status">{copied ? 'Copied' : 'Copy link'}</span>
      </Button>
      {children}
    </Group>
  );
}
