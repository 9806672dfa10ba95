import { useEffect, useRef, useState } from 'react';
import { useHands } from './use-hands.ts';

/**
 * Keeps cards from moving while the user is interacting with them. While the pointer, a finger or the focus is on the
 * cards, their order stays the same, and new cards aren't shown yet. `what` identifies the list, e.g. by its filter.
 * When `what` changes, the new list is shown immediately.
 */
export function useSteadyCards(ids: readonly string[], what: string) {
  const [held, setHeld] = useState<{ ids: readonly string[]; what: string } | null>(null);
  const latest = useRef({ ids, what });
  latest.current = { ids, what };
  const { laid, handlers } = useHands(
    () => setHeld(latest.current),
    () => setHeld(null),
  );
  // If the user is interacting with the cards when `what` changes, the new cards are held in place.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `what` determines the cards
  useEffect(() => {
    if (laid.current.size > 0) setHeld(latest.current);
  }, [what, laid]);
  return { ids: held?.what === what ? held.ids : ids, handlers };
}
