import type { PartitionPosition, TopicPartition } from './kafka-cluster.ts';
import { type Schedule, scheduleTimer } from './schedule.ts';

/** Where a partition is to be read from next. */
export type NextOffset = Pick<PartitionPosition, 'topic' | 'partition' | 'next'>;

/**
 * Gathers how far a consumer is, and tells the broker now and then of all partitions at once: told of each batch, it would
 * write as much about what is done as there is to do. What was not told of when a consumer dies comes again.
 */
export interface OffsetCommits {
  /** All of a partition before `next` is done. */
  done(position: NextOffset): void;
  /** From now on nothing is told of other partitions than these: they went to another consumer, which tells of them. */
  keepOnly(partitions: readonly TopicPartition[]): void;
  /** Tells a last time; never rejects. */
  close(): Promise<void>;
}

export interface OffsetCommitsOptions {
  readonly commit: (positions: readonly NextOffset[]) => Promise<void>;
  /** told where the broker did not take what it was told, which is told again */
  readonly onError: (error: unknown) => void;
  /** milliseconds from what is first gathered until it is told */
  readonly after?: number;
  readonly schedule?: Schedule;
}

const keyOf = ({ topic, partition }: TopicPartition) => `${topic}/${partition}`;

/** One consumer's, for one membership of its group. */
export function createOffsetCommits(options: OffsetCommitsOptions): OffsetCommits {
  const { commit, onError, after = 200, schedule = scheduleTimer } = options;
  const gathered = new Map<string, NextOffset>();
  let kept: ReadonlySet<string> | null = null;
  let telling: Promise<void> = Promise.resolve();
  let callOff: (() => void) | null = null;
  let closed = false;

  function gather(position: NextOffset): void {
    const key = keyOf(position);
    if (kept === null || kept.has(key)) gathered.set(key, position);
    if (!closed && gathered.size > 0) callOff ??= schedule(after, () => void tellInTurn());
  }

  async function tell(): Promise<void> {
    if (gathered.size === 0) return;
    const positions = [...gathered.values()];
    gathered.clear();
    try {
      await commit(positions);
    } catch (error) {
      onError(error);
      for (const position of positions) if (!gathered.has(keyOf(position))) gather(position);
    }
  }

  /** One after the other, so that no older position is told of later than a newer one. */
  function tellInTurn(): Promise<void> {
    callOff?.();
    callOff = null;
    telling = telling.then(tell);
    return telling;
  }

  return {
    done: gather,
    keepOnly(partitions) {
      const keys = new Set(partitions.map(keyOf));
      kept = keys;
      for (const key of gathered.keys()) if (!keys.has(key)) gathered.delete(key);
    },
    close() {
      closed = true;
      return tellInTurn();
    },
  };
}
