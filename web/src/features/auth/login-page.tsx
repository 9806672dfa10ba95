import { Alert, Divider, Paper, Stack, Title } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useSelector } from 'react-redux';
import { Navigate } from 'react-router-dom';
import { useSessionKeeper } from '../../session/session-keeper.ts';
import { type SignedOutReason, selectSession } from '../../session/session-slice.ts';
import { usePageTitle } from '../../ui/page-heading.tsx';
import { LoadingState } from '../../ui/states.tsx';
import { DemoAccounts } from './demo-accounts.tsx';
import { ErrorAlert } from './error-alert.tsx';
import { GoogleButton } from './google-button.tsx';
import styles from './login-page.module.css';
import { ReasonToSignIn } from './reason-to-sign-in.tsx';
import { RegisterForm } from './register-form.tsx';
import { type Credentials, SignInForm } from './sign-in-form.tsx';
import { useReturnPath } from './use-return-path.ts';

const NOTICES: Partial<Record<SignedOutReason, string>> = {
  expired: 'Your session has ended. Sign in again to continue where you left off.',
  'not-admin': 'That page is for admins, so you have been signed out. Sign in with an admin account to see it.',
};

/** The page with the sign-in form, the Google button and the registration form (R4). */
export default function LoginPage() {
  usePageTitle('Login');
  const { status, reason, problem } = useSelector(selectSession);
  const keeper = useSessionKeeper();
  const returnPath = useReturnPath();
  const [filled, setFilled] = useState<Credentials | null>(null);
  useEffect(() => keeper.prepare(), [keeper]);

  if (status === 'signed-in') return <Navigate to={returnPath} replace />;
  if (status === 'unknown') return <LoadingState label="Checking who you are" />;
  const notice = NOTICES[reason];
  return (
    <Stack gap="lg" maw="60rem" mx="auto">
      <div>
        <Title order={1}>Welcome to Micro Center</Title>
        <ReasonToSignIn to={returnPath} />
      </div>
      {notice === undefined ? null : (
        <Alert color="yellow" variant="light">
          {notice}
        </Alert>
      )}
      <ErrorAlert error={problem} onRetry={() => keeper.retry()} />
      <Stack gap="lg" className={styles.columns}>
        <Paper withBorder p={{ base: 'lg', sm: 'xl' }}>
          <Stack gap="md">
            <SignInForm filled={filled} />
            <Divider label="or" />
            <GoogleButton />
          </Stack>
        </Paper>
        <DemoAccounts onChoose={({ email, password }) => setFilled({ email, password })} />
        <Paper withBorder p={{ base: 'lg', sm: 'xl' }}>
          <RegisterForm />
        </Paper>
      </Stack>
    </Stack>
  );
}
