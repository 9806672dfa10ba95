import type { RecordedEvent } from '../../contracts/events.ts';
import { streamName } from '../../contracts/ids.ts';
import { foldStream } from '../../engine/log/fold-stream.ts';
import type { ShopCore } from '../../engine/shop-core.ts';

type Source = Pick<ShopCore, 'log' | 'sealing'>;

/** Folds an order's stream without opening personal data. */
export async function foldOrder<State>(
  source: Source,
  orderId: string,
  initial: State,
  evolve: (state: State, event: RecordedEvent) => State,
): Promise<State> {
  const from = { state: initial, version: 0 };
  return (await foldStream(source, streamName('order', orderId), from, evolve, 'bare')).state;
}

/**
 * Returns the sequence number of the order's latest shipment as of `version` of the order's stream: 1 for the first
 * shipment, or 0 if there was none.
 */
export function shipmentAt(source: Source, orderId: string, version: number): Promise<number> {
  return foldOrder(source, orderId, 0, (count, { type, streamversion }) =>
    type === 'OrderShipped' && streamversion <= version ? count + 1 : count,
  );
}
