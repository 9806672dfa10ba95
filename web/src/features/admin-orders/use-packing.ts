import { useEffect } from 'react';
import { useSelector } from 'react-redux';
import { hasProblemCode } from '../../api/problem.ts';
import { selectPacking } from '../../live/live-slice.ts';
import { useWhenBack } from '../../live/use-when-back.ts';
import { useUntil } from '../../ui/use-now.ts';
import { useClaimPackingMutation, useGetPackingQuery, useReleasePackingMutation } from './admin-orders.api.ts';

/** A claim ends two minutes after it was last said. In milliseconds. */
const AGAIN = 60_000;

/** Keeps up who packs what while a board is open (PACK1). Answers whether nobody can say it, and asks again until somebody can. */
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

/** The name of another admin who packs an order now; null where none does. */
export function usePacker(orderId: string): string | null {
  const packing = useSelector((root: Parameters<typeof selectPacking>[0]) => selectPacking(root, orderId));
  const holds = useUntil(packing?.until ?? 0);
  return holds ? (packing?.by?.name ?? null) : null;
}

/** Tells the other admins that this one packs an order, while it is open here, in sight and to be delivered. */
export function usePacking(orderId: string, toDeliver: boolean): void {
  const [claim] = useClaimPackingMutation();
  const [release] = useReleasePackingMutation();
  useEffect(() => {
    if (!toDeliver) return;
    const say = () => void (document.visibilityState === 'visible' && claim(orderId));
    say();
    const timer = setInterval(say, AGAIN);
    // It may have ended while the tab was hidden.
    document.addEventListener('visibilitychange', say);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', say);
      void release(orderId);
    };
  }, [orderId, toDeliver, claim, release]);
}
