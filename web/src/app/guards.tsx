import { useEffect, useRef } from 'react';
import { useSelector } from 'react-redux';
import { Navigate, Outlet, useLocation, useMatches } from 'react-router-dom';
import { useSessionKeeper } from '../session/session-keeper.ts';
import { selectIsAdmin, selectSession } from '../session/session-slice.ts';
import { LoadingState } from '../ui/states.tsx';

/** The `handle` of a route whose page shows its public content while the session is still unknown. */
export const WAITS_ITSELF = 'waits-itself';

/**
 * Admits signed-in users. Redirects visitors to /login, and back to the requested page once they have signed in (R21).
 */
export function RequireSession() {
  const { status, reason } = useSelector(selectSession);
  const location = useLocation();
  const waitsItself = useMatches().some(({ handle }) => handle === WAITS_ITSELF);
  const wasInside = useRef(false);
  useEffect(() => {
    if (status === 'signed-in') wasInside.current = true;
  }, [status]);

  if (status === 'signed-in' || (status === 'unknown' && waitsItself)) return <Outlet />;
  if (status === 'unknown') return <LoadingState label="Checking who you are" />;
  // A user who signs out on this page is sent to the home page. A non-admin is sent to /login without a return path,
  // because returning to this page after the next sign-in would sign them out again.
  if (wasInside.current && reason === 'by-user') return <Navigate to="/" replace />;
  if (wasInside.current && reason === 'not-admin') return <Navigate to="/login" replace />;
  return <Navigate to="/login" replace state={{ from: `${location.pathname}${location.search}${location.hash}` }} />;
}

/** Admits admins. Anyone else is signed out, and `RequireSession` then redirects them to /login (R22). */
export function RequireAdmin() {
  const { status } = useSelector(selectSession);
  const isAdmin = useSelector(selectIsAdmin);
  const keeper = useSessionKeeper();
  useEffect(() => {
    if (status === 'signed-in' && !isAdmin) void keeper.signOut('not-admin');
  }, [status, isAdmin, keeper]);
  return isAdmin ? <Outlet /> : <LoadingState label="Signing out" />;
}
