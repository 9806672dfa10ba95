import { Alert, Button, Group, Text } from '@mantine/core';
import { problemText } from '../api/problem.ts';

/** Above what is still shown from before: it could not be brought up to date. */
export function RefreshFailed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <Alert color="yellow" mb="md" role="alert" title="This may be out of date">
      <Group justify="space-between">
        <Text size="sm">{problemText(error)}</Text>
        <Button size="xs" variant="default" onClick={onRetry}>
          Retry
        </Button>
      </Group>
    </Alert>
  );
}
