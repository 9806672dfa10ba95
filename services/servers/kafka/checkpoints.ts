import type { OpenCommits } from '../../engine/feed/open-commits.ts';
import { endedWithin, type Schedule } from '../../runtime/schedule.ts';
import { gather } from './gather.ts';
import { type MessageBatch, partitionKey } from './kafka-cluster.ts';

/** How long done portions are collected before they are written down, in milliseconds. */
const INTERVAL_MS = 200;
/** The longest wait for that, in milliseconds. */
const PATIENCE_MS = 3_000;

/** A part of a batch whose events were handled. */
export interface DonePortion {
  readonly batch: MessageBatch;
  /** offset of its last message */
  readonly offset: number;
  /** names of the commits that are done with it */
  readonly commits: readonly string[];
}

/** Writes down what a consumer has done: closes the commits, and only then remembers the offsets behind them (FEED2). */
export interface Checkpoints {
  /** Notes a portion. Resolves at once; after writeAtOnce(), once the portion is written down. */
  done(portion: DonePortion): Promise<void>;
  /** Forgets the offsets that are not written down yet: the partitions may have a new owner, who goes by those that are. */
  forgetOffsets(): void;
  /** Resolves once what was noted is written down, or after some seconds. */
  written(): Promise<void>;
  /** From now on each portion is written down at once; resolves as written() does. */
  writeAtOnce(): Promise<void>;
  /** Writes nothing more. */
  end(): void;
}

export interface CheckpointsOptions {
  readonly openCommits: Pick<OpenCommits, 'close'>;
  /** told of what could not be written down; it is tried again */
  readonly onError: (error: unknown) => void;
  readonly schedule: Schedule;
}

interface NotedPortion extends DonePortion {
  /** how often the group had rebalanced by then */
  readonly membership: number;
}

/**
 * Writes down in one batch what all partitions have done in a fraction of a second: no document and no push waits for it,
 * and it costs the servers as much for one portion as for many. What a crash leaves unwritten comes again.
 */
export function createCheckpoints({ openCommits, onError, schedule }: CheckpointsOptions): Checkpoints {
  const settings = { onError, schedule };
  let atOnce = false;
  let membership = 0;

  const committing = gather<NotedPortion>({
    ...settings,
    interval: 0,
    isStillWanted: ({ batch }) => batch.isCurrent(),
    handle: (portions) => commitNewest(portions.filter((portion) => portion.membership === membership)),
  });
  const closing = gather<NotedPortion>({
    ...settings,
    interval: INTERVAL_MS,
    isStillWanted: () => true,
    async handle(portions) {
      const commits = portions.flatMap((portion) => portion.commits);
      if (commits.length > 0) await openCommits.close(commits);
      for (const portion of portions) committing.add(portion);
    },
  });

  async function flush(): Promise<void> {
    await closing.flush();
    await committing.flush();
  }

  const written = () => endedWithin(schedule, PATIENCE_MS, flush());

  return {
    written,
    async done(portion) {
      closing.add({ ...portion, membership });
      if (atOnce) await flush();
    },
    forgetOffsets() {
      membership += 1;
    },
    writeAtOnce() {
      atOnce = true;
      return written();
    },
    end() {
      closing.end();
      committing.end();
    },
  };
}

/** Commits the newest offset of each partition. */
async function commitNewest(portions: readonly DonePortion[]): Promise<void> {
  const newest = new Map<string, DonePortion>();
  for (const portion of portions) {
    const key = partitionKey(portion.batch);
    const known = newest.get(key);
    if (!known || known.offset < portion.offset) newest.set(key, portion);
  }
  await Promise.all([...newest.values()].map(({ batch, offset }) => batch.commit(offset)));
}
