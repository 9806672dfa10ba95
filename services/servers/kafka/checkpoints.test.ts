import { beforeEach, describe, expect, it } from 'vitest';
import { type HeldTime, holdTime } from '../../runtime/held-time.fixture.ts';
import { exponentialBackOff, PATIENT } from '../../runtime/schedule.ts';
import { type Checkpoints, createCheckpoints } from './checkpoints.ts';

describe("a consumer's checkpoints", () => {
  let time: HeldTime;
  /** the writes so far, in order: `close <names>`, `commit <partition>/<offset>` */
  let written: string[];
  let errors: string[];
  let close: () => Promise<void>;
  let commit: () => Promise<void>;
  let current: boolean;
  let checkpoints: Checkpoints;

  beforeEach(() => {
    time = holdTime();
    written = [];
    errors = [];
    close = async () => {};
    commit = async () => {};
    current = true;
    checkpoints = createCheckpoints({
      outbox: {
        async close(names) {
          await close();
          written.push(`close ${names}`);
        },
      },
      onError: (error) => errors.push((error as Error).message),
      schedule: time.schedule,
      backOff: exponentialBackOff(PATIENT, 0),
    });
  });

  const done = (offset: number, { partition = 0, commits = [`c${offset}`] } = {}): Promise<void> =>
    checkpoints.done({
      offset,
      commits,
      batch: {
        topic: 'order',
        partition,
        messages: [],
        isCurrent: () => current,
        advance: () => {},
        async commit(newest) {
          await commit();
          written.push(`commit ${partition}/${newest}`);
        },
      },
    });

  const failing = (message: string) => () => Promise.reject(new Error(message));

  it("FEED2 the commits finished within 200 ms are closed together, and then each partition's newest offset is committed", async () => {
    await done(7);
    await done(8);
    await done(3, { partition: 1 });
    await time.pass(199);
    expect(written).toEqual([]);
    await time.pass(1);
    expect(written).toEqual(['close c7,c8,c3', 'commit 0/8', 'commit 1/3']);
    await time.pass(60_000);
    expect(written).toHaveLength(3);
  });

  it('FEED2 a portion of a batch that is finished while a checkpoint is being written is recorded in the next checkpoint', async () => {
    let closed = () => {};
    close = () =>
      new Promise((resolve) => {
        closed = resolve;
      });
    await done(1);
    await time.pass(200);
    await done(2);
    close = async () => {};
    closed();
    await time.pass(200);
    expect(written).toEqual(['close c1', 'commit 0/1', 'close c2', 'commit 0/2']);
  });

  it('FEED2 the offset of a portion of a batch is committed even if the portion completes no commit of the event log', async () => {
    await done(7, { commits: [] });
    await time.pass(200);
    expect(written).toEqual(['commit 0/7']);
  });

  it('FEED2 if closing commits fails, closing is retried, and no offset is committed until the commits are closed', async () => {
    close = failing('no database');
    await done(1);
    await time.pass(200);
    expect(errors).toEqual(['no database']);
    close = async () => {};
    await done(2);
    await time.pass(200);
    expect(written).toEqual(['close c1,c2', 'commit 0/2']);
    expect(errors).toHaveLength(1);
  });

  it('FEED2 committing an offset is retried with growing delays until it succeeds', async () => {
    commit = failing('no coordinator');
    await done(1);
    await time.pass(200 + 200 + 400);
    expect(errors).toEqual(Array(3).fill('no coordinator'));
    commit = async () => {};
    await time.pass(799);
    expect(written).toEqual(['close c1']);
    await time.pass(1);
    expect(written).toEqual(['close c1', 'commit 0/1']);
  });

  it('FEED2 once the brokers are available again, checkpoints are written at the usual interval', async () => {
    commit = failing('no coordinator');
    await done(1);
    await time.pass(200 + 200 + 400);
    commit = async () => {};
    await time.pass(800);
    await done(2);
    await time.pass(200);
    expect(written).toEqual(['close c1', 'commit 0/1', 'close c2', 'commit 0/2']);
  });

  it('FEED2 a retry never overwrites a newer committed offset with an older one', async () => {
    commit = failing('no coordinator');
    await done(1);
    await time.pass(200);
    await done(2);
    commit = async () => {};
    await time.pass(60_000);
    expect(written.at(-1)).toBe('commit 0/2');
  });

  it('FEED2 offsets are not committed for partitions that have been reassigned to another consumer', async () => {
    commit = failing('no coordinator');
    await done(1);
    await time.pass(200);
    await done(2);
    commit = async () => {};
    checkpoints.forgetOffsets();
    await done(3, { partition: 1 });
    await time.pass(60_000);
    expect(written).toEqual(['close c1', 'close c2,c3', 'commit 1/3']);
  });

  it('FEED2 an offset that could not be committed is dropped once its batch is no longer current, for example after a rebalance', async () => {
    commit = failing('unknown member');
    await done(1);
    current = false;
    await time.pass(60_000);
    expect(errors).toEqual(['unknown member']);
    expect(written).toEqual(['close c1']);
  });

  it('FEED2 written() records all progress so far without waiting for the timer', async () => {
    await done(1);
    await checkpoints.written();
    expect(written).toEqual(['close c1', 'commit 0/1']);
    await done(2);
    expect(written).toHaveLength(2);
  });

  it('FEED2 writeAtOnce() writes a checkpoint immediately, and from then on each finished portion of a batch is recorded immediately', async () => {
    await done(1);
    await checkpoints.writeAtOnce();
    expect(written).toEqual(['close c1', 'commit 0/1']);
    await done(2);
    expect(written.slice(2)).toEqual(['close c2', 'commit 0/2']);
  });

  it('FEED2 a consumer can stop even if writing its checkpoints hangs', async () => {
    close = () => new Promise(() => {});
    await done(1);
    const stopped = checkpoints.writeAtOnce();
    await time.pass(3_000);
    await stopped;
    checkpoints.end();
    expect(written).toEqual([]);
    expect(time.delays()).toEqual([]);
  });

  it('FEED2 no timer is left running if the consumer stops before its checkpoints are written', async () => {
    await done(1);
    checkpoints.end();
    expect(time.delays()).toEqual([]);
  });

  it('FEED2 a failed checkpoint write is not retried once the consumer has stopped', async () => {
    let fail = (_: Error) => {};
    close = () =>
      new Promise((_, reject) => {
        fail = reject;
      });
    await done(1);
    await time.pass(200);
    checkpoints.end();
    fail(new Error('no database'));
    await done(2);
    await time.settle();
    expect(errors).toEqual(['no database']);
    expect(time.delays()).toEqual([]);
  });
});
