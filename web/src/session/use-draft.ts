import { type UseFormInput, type UseFormReturnType, useForm } from '@mantine/form';
import { useEffect, useMemo, useRef } from 'react';
import { useSelector, useStore } from 'react-redux';
import { newIdempotencyKey } from '../api/idempotency-key.ts';
import { hasProblemCode } from '../api/problem.ts';
import { type Submission, useSubmit } from '../api/use-submit.tsx';
import { type Draft, NEW_DRAFT, readDraft } from './draft.ts';
import { draftChanged, type PageStateRoot } from './page-state.ts';

type Fields = Record<string, string | number | boolean>;

/** Returns the form's draft, or undefined if there is none. */
export const useDraftOf = (name: string): Draft | undefined =>
  readDraft(useSelector(({ pageState }: PageStateRoot) => pageState.drafts[name]));

/**
 * Whether a form that a button opens is open, which it is as long as it has a draft, and a function that opens or
 * closes it.
 */
export function useOpenForm(name: string) {
  const { dispatch } = useStore();
  const isOpen = useDraftOf(name) !== undefined;
  const setOpen = (open: boolean) => void dispatch(draftChanged({ form: name, draft: open ? NEW_DRAFT : null }));
  return [isOpen, setOpen] as const;
}

/**
 * Keeps the changed fields of a form and its idempotency key as a draft, and restores them when the user comes back to
 * the form.
 */
export function useDraft<Values extends Fields>(form: UseFormReturnType<Values>, name: string) {
  const store = useStore<PageStateRoot>();
  const latest = useRef(form);
  latest.current = form;
  const draft = useMemo(() => {
    const read = () => readDraft(store.getState().pageState.drafts[name]);
    const change = (changes: Partial<Draft>) =>
      void store.dispatch(draftChanged({ form: name, draft: { ...NEW_DRAFT, ...read(), ...changes } }));
    return {
      read,
      change,
      /**
       * Sends the form, and drops the draft once the form is sent. All attempts carry the same Idempotency-Key, so that a
       * request whose response was lost isn't carried out twice (CMD3).
       */
      async send(attempt: (key: string) => Promise<unknown>): Promise<void> {
        const key = read()?.key ?? newIdempotencyKey();
        change({ key });
        try {
          await attempt(key);
        } catch (error) {
          // An earlier request with this key but different fields has already succeeded, so the next attempt needs a
          // new key.
          if (hasProblemCode(error, 'idempotency_key_reused')) change({ key: null });
          throw error;
        }
        store.dispatch(draftChanged({ form: name, draft: null }));
      },
    };
  }, [store, name]);
  useEffect(() => {
    const fields = draft.read()?.fields;
    if (fields) latest.current.setValues(fields as Partial<Values>);
  }, [draft]);

  const { values } = form;
  const began = useRef(values);
  useEffect(() => {
    // Until a draft is restored or the user changes a field, the values are the form's initial values, which aren't
    // kept.
    if (values === began.current) return;
    // Only changed fields are kept, because the values of other fields, such as a product's stock, may be outdated when
    // the draft is restored.
    const changed = Object.entries(values).filter(([field]) => latest.current.isDirty(field));
    if (changed.length > 0 || draft.read()) draft.change({ fields: Object.fromEntries(changed) });
  }, [values, draft]);
  return draft;
}

/**
 * A form whose draft is kept until the form has been submitted. `name` names the draft. The form's initial values are
 * the current values of the document being edited. If they change, the fields that the user hasn't changed change too.
 * A save then doesn't overwrite changes that someone else has made since the form was opened.
 */
export function useDraftForm<Values extends Fields>(
  name: string,
  options: UseFormInput<Values>,
  { send, refused }: Omit<Submission<Values>, 'send'> & { send: (values: Values, key: string) => Promise<void> },
) {
  const form = useForm<Values>(options);
  const draft = useDraft(form, name);
  useNewestValues(form, options.initialValues);
  const submission = useSubmit(form, { send: (values) => draft.send((key) => send(values, key)), refused });
  return { form, ...submission };
}

function useNewestValues<Values extends Fields>(form: UseFormReturnType<Values>, newest: Values | undefined): void {
  const latest = useRef(form);
  latest.current = form;
  const shown = useRef(JSON.stringify(newest));
  const next = JSON.stringify(newest);
  useEffect(() => {
    if (next === undefined || shown.current === next) return;
    shown.current = next;
    const { current: form } = latest;
    const values = JSON.parse(next) as Values;
    const changed = Object.entries(form.getValues()).filter(([field]) => form.isDirty(field));
    form.resetDirty(values);
    form.setValues({ ...values, ...Object.fromEntries(changed) });
  }, [next]);
}
