import { Alert } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { type ReactNode, useRef, useState } from 'react';
import { useKeptFocus } from '../ui/use-kept-focus.ts';
import { fieldErrors, hasProblemCode, problemText } from './problem.ts';

/** Returns 32 hexadecimal digits. `crypto.randomUUID` isn't used, because browsers don't provide it over plain HTTP. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

interface Submission<Fields> {
  /** Sends the form's values. If the returned promise rejects, `problem` is set to the error. */
  send: (fields: Fields, key: string) => Promise<void>;
  /**
   * Converts the error from `send` into the value of `problem`. Returns null if the page shows the error in its own
   * way.
   */
  refused?: (error: unknown) => unknown;
}

/**
 * Submits a form, one request at a time, and shows the server's field errors next to their fields. A retry after a
 * failure carries the same Idempotency-Key, so that a request whose response was lost isn't carried out twice (CMD3).
 */
export function useSubmit<Fields>(form: UseFormReturnType<Fields>, { send, refused }: Submission<Fields>) {
  const [pending, setPending] = useState(false);
  const [problem, setProblem] = useState<unknown>(null);
  const running = useRef(false);
  const key = useRef<string | null>(null);

  const focusFirst = (errors: object) => {
    const [field] = Object.keys(errors);
    if (field !== undefined) form.getInputNode(field)?.focus();
  };
  const submit = form.onSubmit(async (fields) => {
    if (running.current) return;
    running.current = true;
    key.current ??= newIdempotencyKey();
    setPending(true);
    setProblem(null);
    try {
      await send(fields, key.current);
      key.current = null;
    } catch (error) {
      // An earlier request with this key but different fields has already succeeded, so the next attempt needs a new
      // key.
      if (hasProblemCode(error, 'idempotency_key_reused')) key.current = null;
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
