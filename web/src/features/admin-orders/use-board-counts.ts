import type { BoardCounts } from '@micro-center/services/contracts/answers.ts';
import { useEffect, useRef } from 'react';
import { useLive } from '../../live/use-live.ts';
import { useGetBoardCountsQuery } from './admin-orders.api.ts';

/** Counts are asked for again at most this often while orders change, in milliseconds. */
const PACE = 1000;

/** How many orders each filter of the board has; undefined until they are known. */
export function useBoardCounts(q: string | undefined): BoardCounts | undefined {
  const { data, isUninitialized, refetch } = useGetBoardCountsQuery(q, { refetchOnMountOrArgChange: true });
  const orders = useLive(({ views }) => views.known.order);
  const asked = useRef({ orders, at: Date.now() });
  useEffect(() => {
    if (isUninitialized || asked.current.orders === orders) return;
    const wait = Math.max(0, asked.current.at + PACE - Date.now());
    const timer = setTimeout(() => {
      asked.current = { orders, at: Date.now() };
      void refetch();
    }, wait);
    return () => clearTimeout(timer);
  }, [orders, isUninitialized, refetch]);
  return data;
}
