import type { BoardCounts, BoardToday } from '@micro-center/services/contracts/answers.ts';
import { useEffect } from 'react';
import { useStore } from 'react-redux';
import type { LiveRoot } from '../../live/follow.ts';
import { selectIsMoving, useGetBoardCountsQuery, useGetBoardTodayQuery } from './admin-orders.api.ts';

/** How often the board's figures are asked for again at most while orders change, in milliseconds. */
const PACE = { counts: 1000, today: 5000 };

/** They are asked for again each time that they come up. */
const AT_ONCE = { refetchOnMountOrArgChange: true };
/** Draws for new figures alone, not for each time they are asked for. */
const figuresOf = <Figures>({ data }: { data?: Figures }): { data: Figures | undefined } => ({ data });

/** How many orders each filter of the board has; undefined until they are known. */
export function useBoardCounts(q: string | undefined): BoardCounts | undefined {
  const { data, refetch } = useGetBoardCountsQuery(q, { ...AT_ONCE, selectFromResult: figuresOf });
  useRefetchAsOrdersChange(refetch, PACE.counts);
  return data;
}

/** The shop's day so far; undefined until it is known. */
export function useBoardToday(): BoardToday | undefined {
  const { data, refetch } = useGetBoardTodayQuery(undefined, { ...AT_ONCE, selectFromResult: figuresOf });
  useRefetchAsOrdersChange(refetch, PACE.today);
  return data;
}

/**
 * Asks again at most once in `pace` milliseconds, and once more after the last change. While a selection is on its way it
 * doesn't ask: a count from the middle would contradict the notice that follows. No order draws the component.
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
