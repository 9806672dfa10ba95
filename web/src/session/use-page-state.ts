import { useCallback } from 'react';
import { useSelector, useStore } from 'react-redux';
import { type PageStateRoot, valueChanged } from './page-state.ts';

/**
 * Like `useState`, but the state lives in the store under `name`, so it's still there when the user comes back to the
 * page. `initial` must be a constant, and the state serializable. The setter also returns the new state.
 */
export function usePageState<State>(name: string, initial: State) {
  const store = useStore<PageStateRoot>();
  const state = useSelector(({ pageState }: PageStateRoot) => (pageState.values[name] as State | undefined) ?? initial);
  const set = useCallback(
    (next: State | ((before: State) => State)): State => {
      const before = (store.getState().pageState.values[name] as State | undefined) ?? initial;
      const value = next instanceof Function ? next(before) : next;
      store.dispatch(valueChanged({ name, value }));
      return value;
    },
    [store, name, initial],
  );
  return [state, set] as const;
}
