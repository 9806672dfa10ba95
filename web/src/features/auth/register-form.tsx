import { Button, PasswordInput, Stack, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useId } from 'react';
import { useSubmit } from '../../api/use-submit.tsx';
import type { Registration } from '../../session/identity.ts';
import { errorText, useSessionKeeper } from '../../session/session-keeper.ts';
import { toast } from '../../ui/toasts.tsx';
import { ErrorAlert } from './error-alert.tsx';

/** Registers an account, sets its profile name and sends a verification e-mail (I1). */
export function RegisterForm({ headingOrder = 2 }: { headingOrder?: 1 | 2 }) {
  const keeper = useSessionKeeper();
  const heading = useId();
  const form = useForm<Registration>({
    initialValues: { username: '', email: '', password: '' },
    validate: { username: (username) => (username.trim() === '' ? 'Please enter a username' : null) },
  });

  const { submit, pending, problem } = useSubmit(form, {
    async send({ username, email, password }) {
      const address = email.trim();
      const answer = await keeper.register({ username: username.trim(), email: address, password });
      if (answer.problem === null)
        toast(`We have sent an email to ${address}. Please open the link in it to verify your address.`);
      else toast.error(`Error: ${errorText(answer.problem)}`);
    },
  });

  return (
    <form aria-labelledby={heading} onSubmit={submit}>
      <Stack gap="md">
        <Title order={headingOrder} id={heading}>
          Create an account
        </Title>
        <TextInput
          label="Username"
          description="Your name, as it will stand on your parcels"
          autoComplete="name"
          required
          maxLength={200}
          {...form.getInputProps('username')}
        />
        <TextInput label="Email" type="email" autoComplete="email" required {...form.getInputProps('email')} />
        <PasswordInput
          label="Password"
          description="6 characters or more"
          autoComplete="new-password"
          required
          {...form.getInputProps('password')}
        />
        <ErrorAlert error={problem} />
        <Button type="submit" size="md" variant={headingOrder === 1 ? 'filled' : 'default'} loading={pending}>
          Register
        </Button>
      </Stack>
    </form>
  );
}
