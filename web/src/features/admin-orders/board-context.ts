import { createContext, type RefObject, useContext, useImperativeHandle } from 'react';
import type { BoardCommand } from './board-keys.ts';
import type { useShipping } from './use-shipping.ts';

/** State shared by the components of the order board page. */
interface Board {
  shipping: ReturnType<typeof useShipping>;
  /** the element that contains the actions for the selected orders, or null until it is mounted */
  actions: HTMLElement | null;
  /** runs a command on the rows; if the command did nothing, returns the reason. Null until the orders have loaded. */
  rows: RefObject<((command: BoardCommand) => string | undefined) | null>;
  /**
   * the element from which the focus moves to the first row once the list has loaded, provided that the element still
   * has the focus then. Null if the focus must not move.
   */
  focusFrom: RefObject<Element | null>;
  /** receives scanned text that isn't an order number. Null if no field on the page accepts scanned text. */
  scanTo: RefObject<((text: string) => void) | null>;
}

export const BoardContext = createContext<Board | null>(null);

export function useBoard(): Board {
  const board = useContext(BoardContext);
  if (board === null) throw new Error('useBoard must be used inside a BoardContext.');
  return board;
}

/** While the component is mounted, scanned text that isn't an order number is passed to `take`. */
export function useScannedText(take: (text: string) => void): void {
  useImperativeHandle(useBoard().scanTo, () => take);
}
