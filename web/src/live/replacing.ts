import { type Draft, isDraft, original } from '@reduxjs/toolkit';

/**
 * A recipe that replaces the cached data by `change(data)`, unless that is the same object. Frozen here, or Immer would
 * walk through all rows to freeze them.
 */
export function replacing<Data extends object>(change: (data: Data) => Data): (draft: Draft<Data>) => Draft<Data> {
  return (draft) => {
    const before = (isDraft(draft) ? original(draft) : draft) as Data;
    const after = change(before);
    return after === before ? draft : (Object.freeze(after) as Draft<Data>);
  };
}
