import { type Draft, isDraft, original } from '@reduxjs/toolkit';

/**
 * A recipe that puts what `change` makes of the cached data in its place, and does nothing where `change` gives it back.
 * What is put there is frozen here, or Immer would walk through all of its rows to freeze them.
 */
export function replacing<Data extends object>(change: (data: Data) => Data): (draft: Draft<Data>) => Draft<Data> {
  return (draft) => {
    const before = (isDraft(draft) ? original(draft) : draft) as Data;
    const after = change(before);
    return after === before ? draft : (Object.freeze(after) as Draft<Data>);
  };
}
