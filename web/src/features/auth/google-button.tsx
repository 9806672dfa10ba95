import { Button, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconBrandGoogleFilled } from '@tabler/icons-react';
import { useState } from 'react';
import { useGetClientConfigQuery } from '../../api/client-config.ts';
import { useSessionKeeper } from '../../session/session-context.ts';
import { ErrorAlert } from './error-alert.tsx';
import { useSubmission } from './use-submission.ts';

/** Google's window in a live shop; in a demo shop a small dialog stands for it. */
export function GoogleButton() {
  const keeper = useSessionKeeper();
  const { data: config } = useGetClientConfigQuery();
  const [choosing, setChoosing] = useState(false);
  const { busy, error, submit } = useSubmission();

  function start() {
    if (config?.firebase.mode === 'demo') setChoosing(true);
    else void submit(() => keeper.signInWithGoogle());
  }

  return (
    <Stack gap="md">
      <Button
        size="md"
        variant="default"
        leftSection={<IconBrandGoogleFilled size={18} aria-hidden="true" />}
        onClick={start}
        loading={busy && !choosing}
        disabled={config === undefined}
      >
        Continue with Google
      </Button>
      {choosing ? null : <ErrorAlert error={error} />}
      <Modal opened={choosing} onClose={() => setChoosing(false)} title="Choose a Google account">
        <DemoAccountForm
          busy={busy}
          error={error}
          onChosen={(account) => void submit(() => keeper.signInWithGoogle(account))}
        />
      </Modal>
    </Stack>
  );
}

type Account = { name: string; email: string };

function DemoAccountForm(props: { busy: boolean; error: unknown; onChosen: (account: Account) => void }) {
  const form = useForm<Account>({ initialValues: { name: '', email: '' } });
  return (
    <form
      aria-label="Demo Google account"
      onSubmit={form.onSubmit(({ name, email }) => props.onChosen({ name: name.trim(), email: email.trim() }))}
    >
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          The demo shop does not ask Google. Any name and e-mail will do.
        </Text>
        <TextInput label="Name" required data-autofocus {...form.getInputProps('name')} />
        <TextInput label="Google e-mail" type="email" required {...form.getInputProps('email')} />
        <ErrorAlert error={props.error} />
        <Button type="submit" loading={props.busy}>
          Sign in with this account
        </Button>
      </Stack>
    </form>
  );
}
