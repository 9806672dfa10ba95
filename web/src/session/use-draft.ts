import type { UseFormReturnType } from '@mantine/form';
import { useEffect, useRef } from 'react';
import { useStore } from 'react-redux';
import { type DraftState, draftKept, draftTaken } from './draft-slice.ts';
import type { Session } from './session-slice.ts';

interface Root {
  session: Session;
  drafts: DraftState;
}

/** Saves a form's changes if the session expires during editing, and restores them once the same person signs in again. */
export function useDraft<Fields extends Record<string, unknown>>(form: UseFormReturnType<Fields>, name: string): void {
  const store = useStore<Root>();
  const latest = useRef(form);
  latest.current = form;
  useEffect(() => {
    const { session, drafts } = store.getState();
    const { email } = session;
    const draft = drafts.forms[name];
    if (draft !== undefined && drafts.email === email) {
      latest.current.setValues(draft as Partial<Fields>);
      store.dispatch(draftTaken({ form: name }));
    }
    return () => {
      const { current } = latest;
      if (email === null || store.getState().session.reason !== 'expired') return;
      // Only changed fields are kept: others, such as a stock, may be outdated by then.
      const fields = Object.fromEntries(
        Object.entries(current.getValues()).filter(([field]) => current.isDirty(field)),
      );
      if (Object.keys(fields).length > 0) store.dispatch(draftKept({ email, form: name, fields }));
    };
  }, [store, name]);
}
