import { Alert } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { type ReactNode, useRef, useState } from 'react';
import { useKeptFocus } from '../ui/use-kept-focus.ts';
import { fieldErrors, hasProblemCode, problemText } from './problem.ts';

export interface Submission<Fields> {
  /** Sends the form's values. If the returned promise rejects, `problem` is set to the error. */
  send: (fields: Fields) => Promise<void>;
  /**
   * Converts the error from `send` into the value of `problem`. Returns null if the page shows the error in its own
   * way.
   */
  refused?: (error: unknown) => unknown;
}

/** Submits a form, one request at a time, and shows the server's field errors next to their fields. */
export function useSubmit<Fields>(form: UseFormReturnType<Fields>, { send, refused }: Submission<Fields>) {
  const [pending, setPending] = useState(false);
  const [problem, setProblem] = useState<unknown>(null);
  const running = useRef(false);

  const focusFirst = (errors: object) => {
    const [field] = Object.keys(errors);
    if (field !== undefined) form.getInputNode(field)?.focus();
  };
  const submit = form.onSubmit(async (fields) => {
    if (running.current) return;
    running.current = true;
    setPending(true);
    setProblem(null);
    try {
      await send(fields);
    } catch (error) {
      const errors = fieldErrors(error);
      form.setErrors(errors);
      focusFirst(errors);
      setProblem(refused === undefined ? error : await refused(error));
    } finally {
      running.current = false;
      setPending(false);
    }
  }, focusFirst);
  return { submit, pending, problem };
}

/** Shows why a form was rejected, in addition to its field errors. `children` replace the problem's own message. */
export function FormProblem({ problem, children }: { problem: unknown; children?: ReactNode }) {
  useKeptFocus();
  if (!problem) return null;
  const reused = hasProblemCode(problem, 'idempotency_key_reused');
  const words = reused
    ? 'An earlier attempt did go through. Send again if you want this one as well.'
    : problemText(problem);
  return (
    <Alert data-focus-heir tabIndex={-1} color="red" role="alert">
      {children ?? words}
    </Alert>
  );
}
