import { useEffect } from 'react';
import { useStore } from 'react-redux';
import type { LiveRoot } from './follow.ts';

const never = () => false;

/**
 * Refetches figures about orders when orders change: at most once every `pace` milliseconds, and always once after the
 * last change. Doesn't refetch while `isPaused` returns true. Subscribes to the store directly, so that changed orders
 * don't rerender the component. Each caller must pass the same `isPaused` on every render.
 */
export function useRefetchWithOrders<Root extends LiveRoot>(
  refetch: () => unknown,
  pace: number,
  isPaused: (state: Root) => boolean = never,
): void {
  const store = useStore<Root>();
  useEffect(() => {
    const ordersNow = () => store.getState().views.known.order;
    let asked = { orders: ordersNow(), at: Date.now() };
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = () => {
      timer = undefined;
      if (isPaused(store.getState())) return;
      asked = { orders: ordersNow(), at: Date.now() };
      void refetch();
    };
    const unsubscribe = store.subscribe(() => {
      if (timer !== undefined || asked.orders === ordersNow() || isPaused(store.getState())) return;
      timer = setTimeout(ask, Math.max(0, asked.at + pace - Date.now()));
    });
    return () => {
      unsubscribe();
      clearTimeout(timer);
    };
  }, [store, refetch, pace, isPaused]);
}
