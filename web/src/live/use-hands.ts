import { type FocusEvent, type PointerEvent, useEffect, useMemo, useRef } from 'react';

/** How long a lifted finger may still become a click, in milliseconds. */
const TAP = 500;

type Hand = 'pointer' | 'finger' | 'focus';

/**
 * Tells when a pointer or a finger is on an element, or the focus is in it. Put `handlers` on the element. `onLay` is
 * called when the first hand is laid on it, and `onLift` once the last one is gone. `laid` is the set of hands on it
 * now.
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
        // A window that loses focus keeps its active element, and focuses it again when it returns.
        const next = relatedTarget ?? (document.hasFocus() ? null : document.activeElement);
        if (!(next instanceof Node) || !currentTarget.contains(next)) lift('focus');
      },
    };
  }, []);
  return { laid, handlers };
}
