import { createContext, useContext } from 'react';
import type { SessionKeeper } from './session-keeper.ts';

const SessionContext = createContext<SessionKeeper | null>(null);

export const SessionProvider = SessionContext.Provider;

/** What a page may ask of the session: to sign in, register, reset a password, sign out. */
export function useSessionKeeper(): SessionKeeper {
  const keeper = useContext(SessionContext);
  if (keeper === null) throw new Error('There is no SessionProvider above this component.');
  return keeper;
}
