import { useEffect, useRef, useState } from 'react';
import { useHands } from './use-hands.ts';

/**
 * Keeps cards from moving under a hand. While a pointer, a finger or the focus is among the cards, they stay in their
 * order, and new cards wait. `what` identifies the list, e.g. by its filter. When `what` changes, the new list is shown
 * immediately.
 */
export function useSteadyCards(ids: readonly string[], what: string) {
  const [held, setHeld] = useState<{ ids: readonly string[]; what: string } | null>(null);
  const latest = useRef({ ids, what });
  latest.current = { ids, what };
  const { laid, handlers } = useHands(
    () => setHeld(latest.current),
    () => setHeld(null),
  );
  // If a pointer rests on the cards while the filter changes, it holds the new cards.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the cards are those of `what`
  useEffect(() => {
    if (laid.current.size > 0) setHeld(latest.current);
  }, [what, laid]);
  return { ids: held?.what === what ? held.ids : ids, handlers };
}
