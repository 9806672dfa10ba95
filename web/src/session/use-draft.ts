import type { UseFormReturnType } from '@mantine/form';
import { useEffect, useRef } from 'react';
import { useSelector, useStore } from 'react-redux';
import { type Draft, draftOf, keepDraft } from './drafts.ts';
import { type Session, selectSession } from './session-slice.ts';

/**
 * Keeps what is typed into a form through a reload, and through a session that expires, until the same person signs in
 * again. Leaving the form in any other way drops it, and so does resetting it.
 */
export function useDraft<Fields extends Record<string, string | number>>(
  form: UseFormReturnType<Fields>,
  name: string,
): void {
  const store = useStore<{ session: Session }>();
  const { email } = useSelector(selectSession);
  const latest = useRef({ form, email });
  latest.current = { form, email };
  useEffect(() => {
    if (email === null) return;
    const draft = draftOf(email, name);
    if (draft !== null) latest.current.form.setValues(draft as Partial<Fields>);
    return () => {
      if (store.getState().session.reason !== 'expired') keepDraft(email, name, {});
    };
  }, [store, email, name]);

  const { values } = form;
  const began = useRef(values);
  useEffect(() => {
    const { form, email } = latest.current;
    // The first values come before a draft is restored.
    if (email === null || values === began.current) return;
    // Only changed fields are kept: others, such as a stock, may be outdated by then.
    const changed = Object.entries(values).filter(([field]) => form.isDirty(field));
    keepDraft(email, name, Object.fromEntries(changed) as Draft);
  }, [values, name]);
}
