import { Alert, Button, Text } from '@mantine/core';
import { errorText } from '../../session/session-keeper.ts';
import { useKeptFocus } from '../../ui/use-kept-focus.ts';

/** Maps the identity provider's error codes to messages that say what went wrong or what the user can do. */
const HINTS: Record<string, string> = {
  'auth/invalid-credential': 'The email or password is incorrect. Check both, or reset your password.',
  'auth/email-already-in-use': 'An account with this email already exists. Sign in instead.',
  'auth/weak-password': 'Choose a password of 6 characters or more.',
  'auth/invalid-email': 'Enter a valid email address.',
  'auth/user-disabled': 'This account has been closed.',
  'auth/too-many-requests': 'Too many attempts. Wait a moment and try again.',
  'auth/network-request-failed': 'Check your connection and try again.',
  'auth/popup-blocked': 'Your browser has blocked the Google window. Allow it and try again.',
  'auth/popup-closed-by-user': 'The Google window was closed before you chose an account.',
};

function hintFor(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? HINTS[String(error.code)] : undefined;
}

/** Shows a sign-in error as 'Error: {message}' (I3). Renders nothing if there is no error. */
export function ErrorAlert({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  useKeptFocus();
  if (error === null || error === undefined) return null;
  const hint = hintFor(error);
  return (
    <Alert data-focus-heir tabIndex={-1} color="red" variant="light" role="alert">
      <Text size="sm" fw={600}>
        Error: {typeof error === 'string' ? error : errorText(error)}
      </Text>
      {hint === undefined ? null : (
        <Text size="sm" mt="xs">
          {hint}
        </Text>
      )}
      {onRetry === undefined ? null : (
        <Button size="xs" variant="default" mt="sm" onClick={onRetry}>
          Retry
        </Button>
      )}
    </Alert>
  );
}
