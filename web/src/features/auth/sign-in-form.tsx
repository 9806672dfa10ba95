import { Anchor, Button, PasswordInput, Stack, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type FormEvent, useEffect, useId, useState } from 'react';
import { useSubmit } from '../../api/use-submit.tsx';
import { useSessionKeeper } from '../../session/session-keeper.ts';
import { toast } from '../../ui/toasts.tsx';
import { ErrorAlert } from './error-alert.tsx';

export type Credentials = { email: string; password: string };

/**
 * The sign-in form for email and password, with a password reset (I2-I4). When `filled` changes, its values are entered
 * into the form.
 */
export function SignInForm({ filled }: { filled: Credentials | null }) {
  const keeper = useSessionKeeper();
  const heading = useId();
  const form = useForm<Credentials>({ initialValues: { email: '', password: '' } });
  const { setValues } = form;
  useEffect(() => {
    if (filled !== null) setValues(filled);
  }, [filled, setValues]);

  const { submit, pending, problem } = useSubmit(form, {
    send: ({ email, password }) => keeper.signIn(email.trim(), password),
  });
  const [asked, setAsked] = useState<'sign-in' | 'reset'>('sign-in');
  const reset = useSubmit(form, {
    async send({ email }) {
      await keeper.sendPasswordReset(email.trim());
      toast.success('Email successfully sent');
    },
  });
  const signIn = (event: FormEvent<HTMLFormElement>) => {
    setAsked('sign-in');
    submit(event);
  };
  const sendReset = () => {
    setAsked('reset');
    if (form.values.email.trim() === '') form.setFieldError('email', 'Please enter your email');
    else reset.submit();
  };

  return (
    <form aria-labelledby={heading} onSubmit={signIn}>
      <Stack gap="md">
        <Title order={2} id={heading}>
          Sign in
        </Title>
        <TextInput label="Email" type="email" autoComplete="email" required {...form.getInputProps('email')} />
        <PasswordInput label="Password" autoComplete="current-password" required {...form.getInputProps('password')} />
        <ErrorAlert error={asked === 'reset' ? reset.problem : problem} />
        <Button type="submit" size="md" loading={pending}>
          Sign in
        </Button>
        <Anchor component="button" type="button" size="sm" onClick={sendReset} disabled={reset.pending}>
          Forgot your password? Send a reset email
        </Anchor>
      </Stack>
    </form>
  );
}
