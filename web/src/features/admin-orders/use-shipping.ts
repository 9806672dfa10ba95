import type { OrderView } from '@micro-center/services/contracts/order/order-view.ts';
import { useMemo } from 'react';
import { newIdempotencyKey } from '../../api/idempotency-key.ts';
import { usePageState } from '../../session/use-page-state.ts';
import { serverNow } from '../../ui/server-clock.ts';
import { type Parcel, useSendOrders } from './send-orders.ts';
import {
  answered,
  began,
  changed,
  type Line,
  NO_SHIPPINGS,
  newestLines,
  nextUndo,
  type Shipping,
  undone,
  wasShipped,
} from './shippings.ts';

/**
 * Marks the shipment in `line` as being undone: changes its state from `shipped` to `withdrawing`, and clears the
 * reason why an earlier undo failed.
 */
function askedBack(line: Line): Line {
  if (!wasShipped(line)) return line;
  return { ...line, state: line.state === 'shipped' ? 'withdrawing' : line.state, reason: undefined };
}

/**
 * Ships orders and undoes shipments. The affected rows change as soon as a request is sent. If the request fails, the
 * rows change back, and the board's notice gives the reason.
 */
export function useShipping() {
  const [shippings, setShippings] = usePageState('shippings', NO_SHIPPINGS);
  const { sendShipments, sendWithdrawals } = useSendOrders();
  const { all } = shippings;
  const lines = useMemo(() => newestLines(all), [all]);

  const ship = async (orders: readonly OrderView[], parcel: Parcel = {}): Promise<readonly Line[]> => {
    const key = newIdempotencyKey();
    const sending = orders.map((order): Line => ({ order, state: 'sending' }));
    setShippings((before) => began(before, { key, state: 'sending', lines: sending, at: 0 }));
    const lines = await sendShipments(key, orders, parcel);
    const now = setShippings((before) => answered(before, key, lines, serverNow()));
    if (now.all.find((one) => one.key === key)?.state === 'undoing') void withdraw(key, lines);
    return lines;
  };

  const takeBack = ({ key, state, lines }: Shipping) => {
    setShippings((before) => ({ ...changed(before, key, { state: 'undoing' }), shown: key }));
    // While the ship request is in flight, the undo waits for its response.
    if (state !== 'sending') void withdraw(key, lines);
  };

  const withdraw = async (key: string, lines: readonly Line[]) => {
    const asked = lines.map(askedBack);
    setShippings((before) => changed(before, key, { lines: asked }));
    const answers = await sendWithdrawals(key, asked);
    setShippings((before) => undone(before, key, answers));
  };

  /** Undoes the most recent shipment that can still be undone. If there is none, returns a message that says why. */
  const undo = (): string | undefined => {
    const newest = nextUndo(shippings, serverNow());
    if (newest === undefined) {
      const isUnanswered = all.at(-1)?.lines.some((line) => line.state === 'unanswered');
      if (isUnanswered) return 'the last shipping was not answered. Open its order to see whether it was shipped.';
      return 'nothing that you shipped in the last 30 seconds is left to take back.';
    }
    takeBack(newest);
    return undefined;
  };

  const dismiss = () => setShippings((before) => ({ ...before, shown: null }));
  return { lines, shippings, ship, undo, dismiss };
}
