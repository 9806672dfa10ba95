import { useSyncExternalStore } from 'react';

const never = () => () => {};

/** False during prerendering and hydration, then true. Don't render content that only the browser knows while it's false. */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
