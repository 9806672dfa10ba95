import { useSyncExternalStore } from 'react';

const never = () => () => {};

/** False while a page is made on the server, and while the browser takes it over: what only the browser knows is shown after that. */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
