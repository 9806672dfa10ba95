import type { UseFormReturnType } from '@mantine/form';
import { useEffect, useRef } from 'react';

/**
 * Lets the fields that the user hasn't changed follow `newest`, the values of the document that the form edits. A save
 * then never writes back what somebody else has changed since the form was opened.
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
