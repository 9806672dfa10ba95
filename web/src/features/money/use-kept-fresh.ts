import { useDocumentVisibility } from '@mantine/hooks';
import { useEffect, useRef } from 'react';
import { useRefetchWithOrders } from '../../live/use-refetch-with-orders.ts';

/** How often the ledger is fetched while the page is visible, in milliseconds. Stripe's statements aren't pushed. */
const POLL_EVERY = 15_000;
/** The minimum time between two fetches because of changed orders, in milliseconds. The server caches for half as long. */
const PACE = 2_000;

/** The options of a query that is polled while the page is visible. */
export function usePolled() {
  const isVisible = useDocumentVisibility() === 'visible';
  return { pollingInterval: isVisible ? POLL_EVERY : 0, refetchOnMountOrArgChange: true };
}

/** Refetches when orders change, and when the page becomes visible again. */
export function useKeptFresh(refetch: () => unknown): void {
  useRefetchWithOrders(refetch, PACE);
  const isVisible = useDocumentVisibility() === 'visible';
  const wasVisible = useRef(isVisible);
  useEffect(() => {
    if (isVisible && !wasVisible.current) void refetch();
    wasVisible.current = isVisible;
  }, [isVisible, refetch]);
}
