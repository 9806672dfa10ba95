import { createContext, type RefObject, useContext, useImperativeHandle } from 'react';
import type { useShipping } from './use-shipping.ts';

interface BoardUse {
  /** Ships as the board does: its notice says what came of it, and offers to undo it. */
  ship: ReturnType<typeof useShipping>['ship'];
  /** takes what a scanner sends that names no order; null where nothing on the page waits for it */
  scanTo: RefObject<((text: string) => void) | null>;
}

/** What the drawer's forms do by the board that they stand on. */
export const BoardContext = createContext<BoardUse | null>(null);

function useBoard(): BoardUse {
  const board = useContext(BoardContext);
  if (board === null) throw new Error('An order is shipped from a board.');
  return board;
}

export const useShip = () => useBoard().ship;

/** While this stands on the page a scanner's text goes to `take`, unless it names an order. */
export function useScannedText(take: (text: string) => void): void {
  const { scanTo } = useBoard();
  useImperativeHandle(scanTo, () => take);
}
