import { useEffect } from 'react';
import { useSelector } from 'react-redux';
import { hasProblemCode } from '../../api/problem.ts';
import { selectPacking } from '../../live/live-slice.ts';
import { useWhenBack } from '../../live/use-when-back.ts';
import { useUntil } from '../../ui/use-now.ts';
import { useClaimPackingMutation, useGetPackingQuery, useReleasePackingMutation } from './admin-orders.api.ts';

/**
 * How often to renew a packing claim, in milliseconds. While packing claims are unavailable, this is also how often to
 * retry fetching them. A claim expires two minutes after its last renewal.
 */
const AGAIN = 60_000;

/**
 * Returns whether packing claims are unavailable, and keeps retrying while they are. Fetches the claims when the board
 * opens and each time the page starts to receive live updates (PACK1).
 */
export function usePackingIsOff(): boolean {
  const { error, refetch } = useGetPackingQuery(undefined, { refetchOnMountOrArgChange: true });
  const off = hasProblemCode(error, 'packing_unavailable');
  useWhenBack(() => void refetch());
  useEffect(() => {
    if (!off) return;
    const timer = setInterval(() => void refetch(), AGAIN);
    return () => clearInterval(timer);
  }, [off, refetch]);
  return off;
}

/** The name of the other admin who is packing an order now, or null if no other admin is packing it. */
export function usePacker(orderId: string): string | null {
  const packing = useSelector((root: Parameters<typeof selectPacking>[0]) => selectPacking(root, orderId));
  const holds = useUntil(packing?.until ?? 0);
  return holds ? (packing?.by?.name ?? null) : null;
}

/**
 * Claims an order for packing, which tells the other admins who is packing it. Releases the claim when the order is
 * closed or shipped. The claim isn't renewed while the tab is hidden, so it may expire then.
 */
export function usePacking(orderId: string, toDeliver: boolean): void {
  const [claim] = useClaimPackingMutation();
  const [release] = useReleasePackingMutation();
  useEffect(() => {
    if (!toDeliver) return;
    const say = () => void (document.visibilityState === 'visible' && claim(orderId));
    say();
    const timer = setInterval(say, AGAIN);
    // Claims the order again when the tab becomes visible, because the claim may have expired while the tab was hidden.
    document.addEventListener('visibilitychange', say);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', say);
      void release(orderId);
    };
  }, [orderId, toDeliver, claim, release]);
}
