import { useSyncExternalStore } from 'react';

const never = () => () => {};

/** False while a page is prerendered or hydrated, then true. Content that only the browser knows has to wait until then. */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
