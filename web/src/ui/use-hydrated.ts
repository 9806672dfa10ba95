import { useSyncExternalStore } from 'react';

const never = () => () => {};

/**
 * Returns false during prerendering and hydration, and true afterwards. While the result is false, don't render content
 * that only the browser knows.
 */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
