import { Button, PasswordInput, Stack, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useId } from 'react';
import type { Registration } from '../../session/identity.ts';
import { useSessionKeeper } from '../../session/session-context.ts';
import { errorText } from '../../session/session-keeper.ts';
import { toast } from '../../ui/toasts.tsx';
import { ErrorAlert } from './error-alert.tsx';
import { useSubmission } from './use-submission.ts';

const empty: Registration = { username: '', email: '', password: '' };

/** A new account: its profile name is set and a verification mail sent (I1). */
export function RegisterForm({ headingOrder = 2 }: { headingOrder?: 1 | 2 }) {
  const keeper = useSessionKeeper();
  const heading = useId();
  const { busy, error, submit } = useSubmission();
  const form = useForm<Registration>({
    initialValues: empty,
    validate: { username: (username) => (username.trim() === '' ? 'Please enter a username' : null) },
  });

  async function register({ username, email, password }: Registration) {
    const address = email.trim();
    const { problem } = await keeper.register({ username: username.trim(), email: address, password });
    if (problem === null) toast(`We have sent a mail to ${address}. Please verify your e-mail with it.`);
    else toast.error(`Error: ${errorText(problem)}`);
  }

  return (
    <form aria-labelledby={heading} onSubmit={form.onSubmit((values) => submit(() => register(values)))}>
      <Stack gap="md">
        <Title order={headingOrder} id={heading}>
          Create an account
        </Title>
        <TextInput label="Username" autoComplete="name" required maxLength={200} {...form.getInputProps('username')} />
        <TextInput label="Email" type="email" autoComplete="email" required {...form.getInputProps('email')} />
        <PasswordInput
          label="Password"
          description="6 characters or more"
          autoComplete="new-password"
          required
          {...form.getInputProps('password')}
        />
        <ErrorAlert error={error} />
        <Button type="submit" size="md" variant={headingOrder === 1 ? 'filled' : 'default'} loading={busy}>
          Register
        </Button>
      </Stack>
    </form>
  );
}
