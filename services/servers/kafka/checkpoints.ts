import type { Outbox } from '../../engine/feed/outbox.ts';
import { type BackOff, endedWithin, exponentialBackOff, PATIENT, type Schedule } from '../../runtime/schedule.ts';
import { type MessageBatch, partitionKey } from './kafka-cluster.ts';

/** How long done portions are collected before they are recorded. */
const INTERVAL_MS = 200;
const PATIENCE_MS = 3_000;

export interface DonePortion {
  readonly batch: MessageBatch;
  readonly offset: number;
  /** names of the commits that are done with it */
  readonly commits: readonly string[];
}

/** Records what a consumer has done: closes the commits, and only then commits the offsets behind them (FEED2). */
export interface Checkpoints {
  /** Resolves at once; after writeAtOnce(), once the portion is recorded. */
  done(portion: DonePortion): Promise<void>;
  /** Drops offsets not committed yet: the partitions may have a new owner, who starts from the committed ones. */
  forgetOffsets(): void;
  /** Resolves once everything so far is recorded, or after PATIENCE_MS. */
  written(): Promise<void>;
  /** From now on each portion is recorded at once; resolves as written() does. */
  writeAtOnce(): Promise<void>;
  end(): void;
}

export interface CheckpointsOptions {
  readonly outbox: Pick<Outbox, 'close'>;
  /** told of what could not be recorded; it is tried again */
  readonly onError: (error: unknown) => void;
  readonly schedule: Schedule;
  readonly backOff?: BackOff;
}

interface NotedPortion extends DonePortion {
  /** how often the group had rebalanced by then */
  readonly membership: number;
}

/** Records several times a second what all partitions have done: no document and no push waits. Retries with back-off. */
export function createCheckpoints(options: CheckpointsOptions): Checkpoints {
  const { outbox, onError, schedule, backOff = exponentialBackOff(PATIENT) } = options;
  /** commits not closed yet */
  let open: NotedPortion[] = [];
  /** commits closed, offset not committed yet */
  let closed: NotedPortion[] = [];
  let membership = 0;
  let failures = 0;
  let atOnce = false;
  let ended = false;
  let cancel: (() => void) | null = null;
  let writing = Promise.resolve();

  async function closeCommits(): Promise<void> {
    const portions = [...open];
    const commits = portions.flatMap((portion) => portion.commits);
    if (commits.length > 0) await outbox.close(commits);
    open = open.slice(portions.length);
    closed.push(...portions);
  }

  /** Only the newest of each partition. */
  async function commitOffsets(): Promise<void> {
    const ours = closed.filter((portion) => portion.membership === membership);
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
      if (!ended) await commitOffsets();
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
    if (ended) return;
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
      if (ended) return;
      open.push({ ...portion, membership });
      wait();
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
      ended = true;
      [open, closed] = [[], []];
      cancel?.();
    },
  };
}
