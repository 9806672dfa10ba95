import type { UseFormReturnType } from '@mantine/form';
import { useEffect, useRef } from 'react';
import { useSelector, useStore } from 'react-redux';
import { type Draft, draftOf, keepDraft } from './drafts.ts';
import { type Session, selectSession } from './session-slice.ts';

/**
 * Stores a user's unsubmitted form input as a draft, and restores the draft after a reload. If the session expires, the
 * draft is kept until that user signs in again. Resetting the form drops the draft.
 * @param kind `edit` drops the draft when the user leaves the form, because the document may have changed by the time
 *   the user returns. `new` keeps the draft, so that the input is still there when the user returns.
 * @returns a function that drops the draft, for a page that navigates away after the form has been submitted
 */
export function useDraft<Fields extends Record<string, string | number>>(
  form: UseFormReturnType<Fields>,
  name: string,
  kind: 'edit' | 'new',
): () => void {
  const store = useStore<{ session: Session }>();
  const { email } = useSelector(selectSession);
  const latest = useRef({ form, email });
  latest.current = { form, email };
  useEffect(() => {
    if (email === null) return;
    const draft = draftOf(email, name);
    if (draft !== null) latest.current.form.setValues(draft as Partial<Fields>);
    return () => {
      if (kind === 'edit' && store.getState().session.reason !== 'expired') keepDraft(email, name, {});
    };
  }, [store, email, name, kind]);

  const { values } = form;
  const began = useRef(values);
  useEffect(() => {
    const { form, email } = latest.current;
    // Until a draft is restored or the user changes a field, the values are the form's initial values, which aren't
    // stored.
    if (email === null || values === began.current) return;
    // Only changed fields are stored, because the values of other fields, such as a product's stock, may be outdated
    // when the draft is restored.
    const changed = Object.entries(values).filter(([field]) => form.isDirty(field));
    keepDraft(email, name, Object.fromEntries(changed) as Draft);
  }, [values, name]);
  return () => {
    if (email !== null) keepDraft(email, name, {});
  };
}

/**
 * Whether the signed-in user has a draft for this form. If so, a page can open the form immediately when the user
 * returns.
 */
export function useHasDraft(name: string): boolean {
  const { email } = useSelector(selectSession);
  return email !== null && draftOf(email, name) !== null;
}

/**
 * Keeps the fields that the user hasn't changed in sync with `newest`, the current values of the document being edited.
 * A save then doesn't overwrite changes that someone else has made to these fields since the form was opened.
 */
export function useNewestValues<Fields extends Record<string, string | number | null>>(
  form: UseFormReturnType<Fields>,
  newest: Fields,
): void {
  const latest = useRef(form);
  latest.current = form;
  const shown = useRef(JSON.stringify(newest));
  const next = JSON.stringify(newest);
  useEffect(() => {
    if (shown.current === next) return;
    shown.current = next;
    const { current: form } = latest;
    const values = JSON.parse(next) as Fields;
    const changed = Object.entries(form.getValues()).filter(([field]) => form.isDirty(field));
    form.resetDirty(values);
    form.setValues({ ...values, ...Object.fromEntries(changed) });
  }, [next]);
}
