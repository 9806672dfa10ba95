import type { UseFormReturnType } from '@mantine/form';
import { useState } from 'react';
import { newIdempotencyKey } from './idempotency-key.ts';
import { fieldErrors, hasProblemCode, problemText } from './problem.ts';

/** What a form posts, and where. `Fields` are as the form holds them. */
interface KeyedPost<Fields> {
  /** sends once; what it answers with `error` is shown and leaves the form as it is */
  post: (key: string, fields: Fields) => PromiseLike<{ error?: unknown }>;
  onPosted: () => void;
}

/**
 * Posts what a form holds, once for each time it is filled in: a second click is ignored while it is being sent, a repeat
 * after a failure carries the same Idempotency-Key, and the form is emptied only once the shop has taken it.
 */
export function useKeyedPost<Fields>(form: UseFormReturnType<Fields>, { post, onPosted }: KeyedPost<Fields>) {
  const [key, setKey] = useState(newIdempotencyKey);
  const [sending, setSending] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  const submit = form.onSubmit(async (fields) => {
    if (sending) return;
    setSending(true);
    setProblem(null);
    const { error } = await post(key, fields);
    setSending(false);
    if (error === undefined) {
      form.reset();
      setKey(newIdempotencyKey());
      onPosted();
    } else if (hasProblemCode(error, 'idempotency_key_reused')) {
      // The try before was taken although no answer came, and what is in the form now is another.
      setKey(newIdempotencyKey());
      setProblem('An earlier try did go through. Send again if you want this one as well.');
    } else {
      form.setErrors(fieldErrors(error));
      setProblem(problemText(error));
    }
  });
  return { submit, sending, problem };
}
