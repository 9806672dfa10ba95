import type { Outbox } from '../../engine/feed/outbox.ts';
import { type BackOff, endedWithin, exponentialBackOff, PATIENT, type Schedule } from '../../runtime/schedule.ts';
import { type MessageBatch, partitionKey } from './kafka-cluster.ts';

/** Finished portions of message batches are collected for this long, in ms, and then recorded together. */
const INTERVAL_MS = 200;
const PATIENCE_MS = 3_000;

export interface DonePortion {
  readonly batch: MessageBatch;
  readonly offset: number;
  /** the names of the commits whose events were all handled in this portion of a batch */
  readonly commits: readonly string[];
}

/**
 * Records a consumer's progress. First closes the finished commits in the outbox, and then commits the Kafka offsets
 * (FEED2). In the other order, a consumer that dies in between leaves commits open that Kafka no longer delivers, and each
 * has to wait for the outbox relay.
 */
export interface Checkpoints {
  /**
   * Queues a finished portion of a batch to be recorded, and resolves immediately. Once writeAtOnce() has been called,
   * resolves only after an attempt to record the portion, whether it succeeds or fails.
   */
  done(portion: DonePortion): Promise<void>;
  /**
   * From now on, leaves out the offsets that haven't been committed yet, and only closes their commits. Their partitions
   * may now belong to another consumer, which starts from the committed offsets.
   */
  forgetOffsets(): void;
  /**
   * Records all progress so far without waiting for the timer. Resolves after one attempt or after PATIENCE_MS,
   * whichever comes first.
   */
  written(): Promise<void>;
  /**
   * Records all progress so far, and from now on records each finished portion of a batch immediately. Resolves under
   * the same conditions as written().
   */
  writeAtOnce(): Promise<void>;
  end(): void;
}

export interface CheckpointsOptions {
  readonly outbox: Pick<Outbox, 'close'>;
  /** called with the error of each failed attempt to record progress; another attempt follows */
  readonly onError: (error: unknown) => void;
  readonly schedule: Schedule;
  readonly backOff?: BackOff;
}

interface NotedPortion extends DonePortion {
  /** how many rebalances this consumer had been through when it finished this portion of a batch */
  readonly rebalances: number;
}

/**
 * Records the progress on all partitions in the background, several times a second, so that projections and pushes
 * don't have to wait for it. Retries with back-off.
 */
export function createCheckpoints(options: CheckpointsOptions): Checkpoints {
  const { outbox, onError, schedule, backOff = exponentialBackOff(PATIENT) } = options;
  /** finished portions of batches whose commits haven't been closed in the outbox yet */
  let open: NotedPortion[] = [];
  /**
   * finished portions of batches that are already closed in the outbox, but whose offsets haven't been committed to
   * Kafka yet
   */
  let closed: NotedPortion[] = [];
  let rebalances = 0;
  let failures = 0;
  /** Progress is recorded several times a second, then after each portion, and at last not at all. */
  let recording: 'together' | 'at once' | 'never' = 'together';
  let cancel: (() => void) | null = null;
  let writing = Promise.resolve();

  async function closeCommits(): Promise<void> {
    const portions = [...open];
    const commits = portions.flatMap((portion) => portion.commits);
    if (commits.length > 0) await outbox.close(commits);
    open = open.slice(portions.length);
    closed.push(...portions);
  }

  /** Commits only the newest offset of each partition. */
  async function commitOffsets(): Promise<void> {
    const ours = closed.filter((portion) => portion.rebalances === rebalances);
    closed = [...new Map(ours.map((portion) => [partitionKey(portion.batch), portion])).values()];
    try {
      await Promise.all(closed.map(({ batch, offset }) => batch.commit(offset)));
      closed = [];
    } catch (error) {
      closed = closed.filter(({ batch }) => batch.isCurrent());
      throw error;
    }
  }

  async function write(): Promise<void> {
    try {
      await closeCommits();
      if (recording !== 'never') await commitOffsets();
      failures = 0;
    } catch (error) {
      failures += 1;
      onError(error);
    }
  }

  function flush(): Promise<void> {
    writing = writing.then(write);
    return writing;
  }

  function wait(): void {
    if (recording === 'never') return;
    cancel ??= schedule(failures === 0 ? INTERVAL_MS : backOff(failures), async () => {
      await flush();
      cancel = null;
      if (open.length + closed.length > 0) wait();
    });
  }

  const written = () => endedWithin(schedule, PATIENCE_MS, flush());

  return {
    written,
    async done(portion) {
      if (recording === 'never') return;
      open.push({ ...portion, rebalances });
      wait();
      if (recording === 'at once') await flush();
    },
    forgetOffsets() {
      rebalances += 1;
    },
    writeAtOnce() {
      recording = 'at once';
      return written();
    },
    end() {
      recording = 'never';
      [open, closed] = [[], []];
      cancel?.();
    },
  };
}
