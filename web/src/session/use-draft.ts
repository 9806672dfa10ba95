import type { UseFormReturnType } from '@mantine/form';
import { useEffect, useRef } from 'react';
import { useStore } from 'react-redux';
import { type DraftState, draftKept, draftTaken } from './draft-slice.ts';
import type { Session } from './session-slice.ts';

interface Root {
  session: Session;
  drafts: DraftState;
}

/** Keeps what `form` holds where the session ends under it, and puts it back when its person has signed in again. */
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
      // What was not touched is not kept: a stock, say, may be another by then.
      const fields = Object.fromEntries(
        Object.entries(current.getValues()).filter(([field]) => current.isDirty(field)),
      );
      if (Object.keys(fields).length > 0) store.dispatch(draftKept({ email, form: name, fields }));
    };
  }, [store, name]);
}
