import { useEffect, useRef } from 'react';
import { useSelector } from 'react-redux';
import { selectIsLive } from './live-slice.ts';

/**
 * Calls `act` each time the page starts to receive live updates, whether for the first time or again after an outage,
 * so that the page can recover from an earlier failure.
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
