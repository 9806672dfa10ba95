import { useRef } from 'react';
import { type Location, useLocation, useNavigate, useSearchParams } from 'react-router-dom';

/** Marks a history entry that was added to open an order. The previous entry is the same board with no order open. */
const OPENED_HERE = 'order opened';

/**
 * Returns the order id in the `order` parameter of the page's URL, or null, and functions that open and close an order.
 * Opening an order adds a history entry, so that Back closes the order. Opening another order replaces that entry.
 * `close` goes back one entry. If the page was loaded with an order in its URL, no entry was added, so `close` removes
 * the parameter instead. A second call of `close` before the page has changed does nothing.
 */
export function useOpenOrder() {
  const [params, setParams] = useSearchParams();
  const location = useLocation();
  const navigate = useNavigate();
  const left = useRef<Location | null>(null);
  const id = params.get('order') || null;
  const openedHere = location.state === OPENED_HERE;

  const set = (next: string | null, entry: { replace: boolean; state?: string | null }) =>
    setParams(
      (now) => {
        if (next === null) now.delete('order');
        else now.set('order', next);
        return now;
      },
      { ...entry, preventScrollReset: true, flushSync: true },
    );
  const open = (next: string) =>
    set(next, { replace: id !== null, state: id === null || openedHere ? OPENED_HERE : null });
  const close = () => {
    if (left.current === location) return;
    left.current = location;
    if (openedHere) void navigate(-1);
    else set(null, { replace: true });
  };
  return { id, open, close };
}
