import { Anchor, Paper, Stack, Text } from '@mantine/core';
import { useEffect } from 'react';
import { useSelector } from 'react-redux';
import { Link, Navigate, useLocation } from 'react-router-dom';
import { useSessionKeeper } from '../../session/session-keeper.ts';
import { selectSession } from '../../session/session-slice.ts';
import { usePageTitle } from '../../ui/page-heading.tsx';
import { LoadingState } from '../../ui/states.tsx';
import { GoogleButton } from './google-button.tsx';
import { RegisterForm } from './register-form.tsx';
import { useReturnPath } from './use-return-path.ts';

/** The registration form on a page of its own (R5). */
export default function SignupPage() {
  usePageTitle('Sign up');
  const { status } = useSelector(selectSession);
  const keeper = useSessionKeeper();
  const returnPath = useReturnPath();
  const { state } = useLocation();
  useEffect(() => keeper.prepare(), [keeper]);

  if (status === 'signed-in') return <Navigate to={returnPath} replace />;
  if (status === 'unknown') return <LoadingState label="Checking who you are" />;
  return (
    <Paper withBorder p={{ base: 'lg', sm: 'xl' }} maw="30rem" mx="auto">
      <Stack gap="md">
        <RegisterForm headingOrder={1} />
        <GoogleButton />
        <Text size="sm">
          Already have an account?{' '}
          <Anchor component={Link} to="/login" state={state} size="sm" underline="always">
            Sign in
          </Anchor>
        </Text>
      </Stack>
    </Paper>
  );
}
