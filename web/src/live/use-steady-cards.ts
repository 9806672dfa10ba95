import { useEffect, useRef, useState } from 'react';
import { useHands } from './use-hands.ts';

/**
 * Cards that don't move under a hand: while a pointer, a finger or the focus is among them, the cards that were there then
 * stay in their order, and new ones wait. `what` names the list, such as its filter: another list is shown at once.
 */
export function useSteadyCards(ids: readonly string[], what: string) {
  const [held, setHeld] = useState<{ ids: readonly string[]; what: string } | null>(null);
  const latest = useRef({ ids, what });
  latest.current = { ids, what };
  const { laid, handlers } = useHands(
    () => setHeld(latest.current),
    () => setHeld(null),
  );
  // A pointer that rests on the cards while the filter changes holds the new cards.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the cards are those of `what`
  useEffect(() => {
    if (laid.current.size > 0) setHeld(latest.current);
  }, [what, laid]);
  return { ids: held?.what === what ? held.ids : ids, handlers };
}
