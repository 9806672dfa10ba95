import { Anchor, Button, PasswordInput, Stack, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useEffect, useId } from 'react';
import { useSessionKeeper } from '../../session/session-context.ts';
import { toast } from '../../ui/toasts.tsx';
import { ErrorAlert } from './error-alert.tsx';
import { useSubmission } from './use-submission.ts';

export type Credentials = { email: string; password: string };

/** E-mail and password, and the way back in for whoever has forgotten it (I2-I4). `filled` puts words into the fields. */
export function SignInForm({ filled }: { filled: Credentials | null }) {
  const keeper = useSessionKeeper();
  const heading = useId();
  const { busy, error, submit } = useSubmission();
  const reset = useSubmission();
  const form = useForm<Credentials>({ initialValues: { email: '', password: '' } });
  const { setValues } = form;
  useEffect(() => {
    if (filled !== null) setValues(filled);
  }, [filled, setValues]);

  async function sendReset() {
    const email = form.values.email.trim();
    if (email === '') {
      form.setFieldError('email', 'Please enter your email');
      return;
    }
    if (await reset.submit(() => keeper.sendPasswordReset(email))) toast.success('Email successfully sent');
  }

  return (
    <form
      aria-labelledby={heading}
      onSubmit={form.onSubmit(({ email, password }) => submit(() => keeper.signIn(email.trim(), password)))}
    >
      <Stack gap="md">
        <Title order={2} id={heading}>
          Sign in
        </Title>
        <TextInput label="Email" type="email" autoComplete="email" required {...form.getInputProps('email')} />
        <PasswordInput label="Password" autoComplete="current-password" required {...form.getInputProps('password')} />
        <ErrorAlert error={error ?? reset.error} />
        <Button type="submit" size="md" loading={busy}>
          Sign in
        </Button>
        <Anchor component="button" type="button" size="sm" onClick={sendReset} disabled={reset.busy}>
          Forgot your password? Send a reset e-mail
        </Anchor>
      </Stack>
    </form>
  );
}
