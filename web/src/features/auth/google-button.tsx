import { Button, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconBrandGoogleFilled } from '@tabler/icons-react';
import { useState } from 'react';
import { useGetClientConfigQuery } from '../../api/client-config.ts';
import { useSubmit } from '../../api/use-submit.tsx';
import { useSessionKeeper } from '../../session/session-keeper.ts';
import { ErrorAlert } from './error-alert.tsx';

/** Signs in with Google. Opens Google's sign-in window, or a small dialog in a demo shop. */
export function GoogleButton() {
  const keeper = useSessionKeeper();
  const { data: config } = useGetClientConfigQuery();
  const demo = config?.firebase.mode === 'demo';
  const [choosing, setChoosing] = useState(false);
  const form = useForm({ initialValues: { name: '', email: '' } });
  const { submit, pending, problem } = useSubmit(form, {
    send: ({ name, email }) => keeper.signInWithGoogle(demo ? { name: name.trim(), email: email.trim() } : undefined),
  });
  return (
    <Stack gap="md">
      <Button
        size="md"
        variant="default"
        leftSection={<IconBrandGoogleFilled size={18} aria-hidden="true" />}
        onClick={() => (demo ? setChoosing(true) : submit())}
        loading={pending && !choosing}
        disabled={config === undefined}
      >
        Continue with Google
      </Button>
      {choosing ? null : <ErrorAlert error={problem} />}
      <Modal opened={choosing} onClose={() => setChoosing(false)} title="Choose a Google account">
        <form aria-label="Demo Google account" onSubmit={submit}>
          <Stack gap="md">
            <Text size="sm" c="dimmed">
              The demo shop does not contact Google. You can enter any name and email.
            </Text>
            <TextInput label="Name" required data-autofocus {...form.getInputProps('name')} />
            <TextInput label="Google email" type="email" required {...form.getInputProps('email')} />
            <ErrorAlert error={problem} />
            <Button type="submit" loading={pending}>
              Sign in with this account
            </Button>
          </Stack>
        </form>
      </Modal>
    </Stack>
  );
}
