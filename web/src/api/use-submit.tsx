import { Alert } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { type ReactNode, useRef, useState } from 'react';
import { useKeptFocus } from '../ui/use-kept-focus.ts';
import { fieldErrors, hasProblemCode, problemText } from './problem.ts';

/** 32 hexadecimal digits. Not `crypto.randomUUID`: a phone that opens the shop by plain http does not have it. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

interface Submission<Fields> {
  /** Sends the form; rejects with what `problem` then holds. */
  send: (fields: Fields, key: string) => Promise<void>;
  /** Returns what `problem` is to hold instead; null where the page shows the refusal in its own way. */
  refused?: (error: unknown) => unknown;
}

/**
 * How every form is submitted: one request at a time, and the server's field errors beside their fields. A retry after a
 * failure carries the same Idempotency-Key, so that a request whose answer was lost counts once (CMD3).
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
      // An earlier request did go through under this key, with other fields.
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

/** Why a form was refused, beside what its fields say; `children` instead of the problem's own sentence. */
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
