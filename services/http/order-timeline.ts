import { streamName } from '../contracts/ids.ts';
import type { TimelineEntry } from '../contracts/views.ts';
import { foldStream } from '../engine/log/fold-stream.ts';
import { evolveTimeline } from '../shop/order/project-order.ts';
import type { ApiDependencies } from './dependencies.ts';

/** Folds an order's timeline from its stream, oldest first. */
export async function orderTimeline(
  source: Pick<ApiDependencies, 'log' | 'sealing'>,
  orderId: string,
): Promise<TimelineEntry[]> {
  const beginning: { state: TimelineEntry[]; version: number } = { state: [], version: 0 };
  return (await foldStream(source, streamName('order', orderId), beginning, evolveTimeline, 'bare')).state;
}
