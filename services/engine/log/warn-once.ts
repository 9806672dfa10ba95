import { LRUCache } from 'lru-cache';
import type { Logger } from '../../runtime/log.ts';

/** How many things said are remembered. */
const REMEMBERED = 10_000;

/** Warns of each thing once, by its key: events are read again and again. */
export type WarnOnce = (key: string, about: object, message: string) => void;

export function createWarnOnce(logger: Pick<Logger, 'warn'>): WarnOnce {
  const said = new LRUCache<string, true>({ max: REMEMBERED });
  return (key, about, message) => {
    if (said.has(key)) return;
    said.set(key, true);
    logger.warn(about, message);
  };
}
