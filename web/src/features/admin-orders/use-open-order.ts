import { useRef } from 'react';
import { type Location, useLocation, useNavigate, useSearchParams } from 'react-router-dom';

/** Marks a history entry that was added to open an order. The previous entry is the same board with no order open. */
const OPENED_HERE = 'order opened';

/**
 * Returns the order id in the `order` parameter of the page's address, or null, and functions that open and close an
 * order. Opening an order adds a history entry, so that Back closes the order. Opening another order replaces that
 * entry. Closing the order goes back one entry. If `close` is called again before the page has changed, the second call
 * does nothing. If the page was loaded with the order in its address, no entry was added, and closing removes the
 * parameter instead.
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
