import { useEffect, useRef } from 'react';
import { useSelector } from 'react-redux';
import { selectIsLive } from './live-slice.ts';

/**
 * Calls `act` each time the page becomes live, on the first connection as well as on each reconnection, so that the
 * page recovers from an earlier failure.
 */
export function useWhenBack(act: () => void): void {
  const live = useSelector(selectIsLive);
  const before = useRef(live);
  const newest = useRef(act);
  useEffect(() => {
    newest.current = act;
  });
  useEffect(() => {
    if (live && !before.current) newest.current();
    before.current = live;
  }, [live]);
}
