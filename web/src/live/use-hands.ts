import { type FocusEvent, type PointerEvent, useEffect, useMemo, useRef } from 'react';

/** The maximum delay between lifting a finger and the resulting click event, in milliseconds. */
const TAP = 500;

type Hand = 'pointer' | 'finger' | 'focus';

/**
 * Tracks the user's 'hands' on an element. A hand is a pointer or a finger on the element, or the focus inside the
 * element. Put `handlers` on the element. Calls `onLay` when the first hand arrives, and `onLift` when the last hand
 * has left. `laid` is a ref to the set of hands that are currently on the element.
 */
export function useHands(onLay: () => void, onLift: () => void) {
  const laid = useRef(new Set<Hand>());
  const lifted = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const latest = useRef({ onLay, onLift });
  latest.current = { onLay, onLift };
  useEffect(() => () => clearTimeout(lifted.current), []);

  const handlers = useMemo(() => {
    const lay = (hand: Hand) => {
      const first = laid.current.size === 0;
      laid.current.add(hand);
      if (first) latest.current.onLay();
    };
    const lift = (hand: Hand) => {
      if (laid.current.delete(hand) && laid.current.size === 0) latest.current.onLift();
    };
    const liftFinger = ({ pointerType }: PointerEvent) => {
      if (pointerType !== 'touch') return;
      clearTimeout(lifted.current);
      lifted.current = setTimeout(() => lift('finger'), TAP);
    };
    return {
      onPointerMove: ({ pointerType }: PointerEvent) => void (pointerType !== 'touch' && lay('pointer')),
      onPointerLeave: ({ pointerType }: PointerEvent) => void (pointerType !== 'touch' && lift('pointer')),
      onPointerDown: ({ pointerType }: PointerEvent) => {
        clearTimeout(lifted.current);
        if (pointerType === 'touch') lay('finger');
      },
      onPointerUp: liftFinger,
      onPointerCancel: liftFinger,
      onFocus: () => lay('focus'),
      onBlur: ({ currentTarget, relatedTarget }: FocusEvent) => {
        // When the window itself loses focus, its active element stays active and is focused again when the user
        // returns. This doesn't count as the element losing focus.
        const next = relatedTarget ?? (document.hasFocus() ? null : document.activeElement);
        if (!(next instanceof Node) || !currentTarget.contains(next)) lift('focus');
      },
    };
  }, []);
  return { laid, handlers };
}
