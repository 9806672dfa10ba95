import { useEffect, useRef } from 'react';
import { useSelector } from 'react-redux';
import { Navigate, Outlet, useLocation } from 'react-router-dom';
import { useSessionKeeper } from '../session/session-context.ts';
import { selectIsAdmin, selectSession } from '../session/session-slice.ts';
import { LoadingState } from '../ui/states.tsx';

/** Lets signed-in people through; a visitor goes to /login and comes back after signing in (R21). */
export function RequireSession() {
  const { status, reason } = useSelector(selectSession);
  const location = useLocation();
  const wasInside = useRef(false);
  useEffect(() => {
    if (status === 'signed-in') wasInside.current = true;
  }, [status]);

  if (status === 'unknown') return <LoadingState label="Checking who you are" />;
  if (status === 'signed-in') return <Outlet />;
  // Whoever signs out on this page wants to leave it; whoever was sent out as no admin would only be sent out again.
  if (wasInside.current && reason === 'by-user') return <Navigate to="/" replace />;
  if (wasInside.current && reason === 'not-admin') return <Navigate to="/login" replace />;
  return <Navigate to="/login" replace state={{ from: `${location.pathname}${location.search}${location.hash}` }} />;
}

/** Lets admins through; anyone else is signed out, and the guard above sends them to /login (R22). */
export function RequireAdmin() {
  const { status } = useSelector(selectSession);
  const isAdmin = useSelector(selectIsAdmin);
  const keeper = useSessionKeeper();
  useEffect(() => {
    if (status === 'signed-in' && !isAdmin) void keeper.signOut('not-admin');
  }, [status, isAdmin, keeper]);
  return isAdmin ? <Outlet /> : <LoadingState label="Signing out" />;
}
