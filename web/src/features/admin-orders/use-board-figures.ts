import type { BoardCounts, BoardToday } from '@micro-center/services/contracts/answers.ts';
import { useEffect, useRef } from 'react';
import { useLive } from '../../live/use-live.ts';
import { useGetBoardCountsQuery, useGetBoardTodayQuery } from './admin-orders.api.ts';

/** How often the board's figures are asked for again at most while orders change, in milliseconds. */
const PACE = { counts: 1000, today: 5000 };
const AT_ONCE = { refetchOnMountOrArgChange: true };

/** How many orders each filter of the board has; undefined until they are known. */
export function useBoardCounts(q: string | undefined): BoardCounts | undefined {
  const counts = useGetBoardCountsQuery(q, AT_ONCE);
  useRefetchAsOrdersChange(counts, PACE.counts);
  return counts.data;
}

/** The shop's day so far; undefined until it is known. */
export function useBoardToday(): BoardToday | undefined {
  const today = useGetBoardTodayQuery(undefined, AT_ONCE);
  useRefetchAsOrdersChange(today, PACE.today);
  return today.data;
}

/** Asks again at most once in `pace` milliseconds, and once more after the last change. */
function useRefetchAsOrdersChange(
  { isUninitialized, refetch }: { isUninitialized: boolean; refetch: () => unknown },
  pace: number,
): void {
  const orders = useLive(({ views }) => views.known.order);
  const asked = useRef({ orders, at: Date.now() });
  useEffect(() => {
    if (isUninitialized || asked.current.orders === orders) return;
    const wait = Math.max(0, asked.current.at + pace - Date.now());
    const timer = setTimeout(() => {
      asked.current = { orders, at: Date.now() };
      void refetch();
    }, wait);
    return () => clearTimeout(timer);
  }, [orders, isUninitialized, refetch, pace]);
}
