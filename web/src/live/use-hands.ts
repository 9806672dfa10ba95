import { type FocusEvent, type PointerEvent, useEffect, useMemo, useRef } from 'react';

/** How long after a finger is lifted the browser may still fire a click, in milliseconds. */
const TAP = 500;

type Hand = 'pointer' | 'finger' | 'focus';

/**
 * Tracks the 'hands' on an element: a pointer or a finger on the element, and the focus inside it. Put `handlers` on
 * the element. `onLay` is called when the first hand arrives, and `onLift` when the last hand has left. `laid` is a ref
 * to the set of hands that are currently on the element.
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
        // A window that loses the focus keeps its active element, and focuses that element again when the user returns.
        const next = relatedTarget ?? (document.hasFocus() ? null : document.activeElement);
        if (!(next instanceof Node) || !currentTarget.contains(next)) lift('focus');
      },
    };
  }, []);
  return { laid, handlers };
}
