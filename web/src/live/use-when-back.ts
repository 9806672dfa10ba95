import { useEffect, useRef } from 'react';
import { useSelector } from 'react-redux';
import { selectIsLive } from './live-slice.ts';

/** Calls `act` each time that the connection is back after it was lost, so that an error of the meantime doesn't stay on the page. */
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
