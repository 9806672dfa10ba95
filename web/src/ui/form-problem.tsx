import { Alert } from '@mantine/core';

/** Why a form was not taken, beside what its fields say themselves; nothing where it was not refused. */
export function FormProblem({ problem }: { problem: string | null }) {
  if (!problem) return null;
  return (
    <Alert color="red" role="alert">
      {problem}
    </Alert>
  );
}
