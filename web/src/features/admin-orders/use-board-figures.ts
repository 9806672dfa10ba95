import type { BoardCounts, BoardToday } from '@micro-center/services/contracts/order/order-answers.ts';
import type { LiveRoot } from '../../live/follow.ts';
import { useRefetchWithOrders } from '../../live/use-refetch-with-orders.ts';
import { selectIsMoving, useGetBoardCountsQuery, useGetBoardTodayQuery } from './admin-orders.api.ts';

/**
 * The minimum time between two fetches of the board's figures, in milliseconds. Nothing is fetched while several orders
 * are being shipped or shipments are being undone, because the figures in between would contradict the notice that is
 * shown afterwards.
 */
const PACE = { counts: 1000, today: 5000 };

type Root = LiveRoot & Parameters<typeof selectIsMoving>[0];

const AT_ONCE = { refetchOnMountOrArgChange: true };
/** Selects only the figures, so that the component doesn't rerender whenever a fetch starts or ends. */
const figuresOf = <Figures>({ data }: { data?: Figures }): { data: Figures | undefined } => ({ data });

/** How many orders match each filter of the board, or undefined until the counts are loaded. */
export function useBoardCounts(q: string | undefined): BoardCounts | undefined {
  const { data, refetch } = useGetBoardCountsQuery(q, { ...AT_ONCE, selectFromResult: figuresOf });
  useRefetchWithOrders<Root>(refetch, PACE.counts, selectIsMoving);
  return data;
}

/** The shop's figures for today so far, or undefined until they are loaded. */
export function useBoardToday(): BoardToday | undefined {
  const { data, refetch } = useGetBoardTodayQuery(undefined, { ...AT_ONCE, selectFromResult: figuresOf });
  useRefetchWithOrders<Root>(refetch, PACE.today, selectIsMoving);
  return data;
}
