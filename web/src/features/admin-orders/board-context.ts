import { createContext, type RefObject, useContext, useImperativeHandle } from 'react';
import type { BoardCommand } from './board-keys.ts';
import type { useShipping } from './use-shipping.ts';

/** What the parts of the board's page share. */
interface Board {
  shipping: ReturnType<typeof useShipping>;
  /** where what can be done with the selection stands; null until it is there */
  actions: HTMLElement | null;
  /** obeys the commands that are about rows, and answers why one did nothing; null without rows */
  rows: RefObject<((command: BoardCommand) => string | undefined) | null>;
  /** the first row takes the focus from this element when the list comes, unless the focus has gone on since */
  focusFrom: RefObject<Element | null>;
  /** takes what a scanner sends that names no order; null where nothing on the page waits for it */
  scanTo: RefObject<((text: string) => void) | null>;
}

export const BoardContext = createContext<Board | null>(null);

export function useBoard(): Board {
  const board = useContext(BoardContext);
  if (board === null) throw new Error('This stands on a board.');
  return board;
}

/** While this stands on the page a scanner's text goes to `take`, unless it names an order. */
export function useScannedText(take: (text: string) => void): void {
  useImperativeHandle(useBoard().scanTo, () => take);
}
