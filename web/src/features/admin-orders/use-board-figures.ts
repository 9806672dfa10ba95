import type { BoardCounts, BoardToday } from '@micro-center/services/contracts/answers.ts';
import { useEffect } from 'react';
import { useStore } from 'react-redux';
import type { LiveRoot } from '../../live/follow.ts';
import { selectIsMoving, useGetBoardCountsQuery, useGetBoardTodayQuery } from './admin-orders.api.ts';

/** The minimum time between two fetches of the board's figures, in milliseconds. */
const PACE = { counts: 1000, today: 5000 };

const AT_ONCE = { refetchOnMountOrArgChange: true };
/** Selects only the figures, so that the component doesn't rerender whenever a fetch starts or ends. */
const figuresOf = <Figures>({ data }: { data?: Figures }): { data: Figures | undefined } => ({ data });

/** How many orders match each filter of the board, or undefined until the counts are loaded. */
export function useBoardCounts(q: string | undefined): BoardCounts | undefined {
  const { data, refetch } = useGetBoardCountsQuery(q, { ...AT_ONCE, selectFromResult: figuresOf });
  useRefetchAsOrdersChange(refetch, PACE.counts);
  return data;
}

/** The shop's figures for today so far, or undefined until they are loaded. */
export function useBoardToday(): BoardToday | undefined {
  const { data, refetch } = useGetBoardTodayQuery(undefined, { ...AT_ONCE, selectFromResult: figuresOf });
  useRefetchAsOrdersChange(refetch, PACE.today);
  return data;
}

/**
 * Refetches the figures when orders change: at most once every `pace` milliseconds, and always once after the last
 * change. Doesn't refetch while several orders are being shipped or shipments are being undone, because figures fetched
 * in between would contradict the notice shown afterwards. Subscribes to the store directly, so that changed orders
 * don't rerender the component.
 */
function useRefetchAsOrdersChange(refetch: () => unknown, pace: number): void {
  const store = useStore<LiveRoot & Parameters<typeof selectIsMoving>[0]>();
  useEffect(() => {
    const ordersNow = () => store.getState().views.known.order;
    let asked = { orders: ordersNow(), at: Date.now() };
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = () => {
      timer = undefined;
      if (selectIsMoving(store.getState())) return;
      asked = { orders: ordersNow(), at: Date.now() };
      void refetch();
    };
    const unsubscribe = store.subscribe(() => {
      if (timer !== undefined || asked.orders === ordersNow() || selectIsMoving(store.getState())) return;
      timer = setTimeout(ask, Math.max(0, asked.at + pace - Date.now()));
    });
    return () => {
      unsubscribe();
      clearTimeout(timer);
    };
  }, [store, refetch, pace]);
}
