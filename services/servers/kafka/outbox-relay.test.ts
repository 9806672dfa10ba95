import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { commitName, type StreamName, streamName } from '../../contracts/ids.ts';
import { sampleEvent } from '../../engine/log/sample-events.fixture.ts';
import { type HeldTime, holdTime } from '../../runtime/held-time.fixture.ts';
import type { PartitionPosition } from './kafka-cluster.ts';
import { type OutboxRelay, startOutboxRelay } from './outbox-relay.ts';
import { NotPublished } from './publisher.ts';
import { topicsOf } from './topics.ts';

const topics = topicsOf('shop');
const stream = (digit: number) => streamName('order', digit.toString(16).padStart(24, '0'));

describe('outbox relay', () => {
  let time: HeldTime;
  /** the names of the open commits, oldest first */
  let open: string[];
  let published: { readonly at: number; readonly name: string }[];
  let position: PartitionPosition;
  let errors: string[];
  let publish: (name: string) => Promise<void>;
  /** the topics passed to each positions() call, and how many times read() and list() were called */
  let asked: { positions: (readonly string[])[]; reads: number; looks: number };
  let outboxRelay: OutboxRelay;

  beforeEach(() => {
    time = holdTime();
    open = [];
    published = [];
    position = { topic: 'shop.order', partition: 0, next: 10, end: 10 };
    errors = [];
    asked = { positions: [], reads: 0, looks: 0 };
    publish = async () => {};
    outboxRelay = start();
  });

  function start(listedAtOnce?: number): OutboxRelay {
    return startOutboxRelay({
      outbox: {
        async list(limit) {
          asked.looks += 1;
          return open.slice(0, limit);
        },
        async read(names) {
          asked.reads += 1;
          const wanted = new Set(names);
          // Returns the commits in a different order than requested, as a database might.
          const found = open.filter((name) => wanted.has(name)).reverse();
          return found.map((name) => ({ name, events: [sampleEvent(name.slice(0, -13) as StreamName, 1)] }));
        },
      },
      publisher: {
        async publish({ name }) {
          published.push({ at: time.now(), name });
          await publish(name);
        },
      },
      cluster: {
        partitionOf: async () => 0,
        async positions(_, topicNames) {
          asked.positions.push(topicNames);
          return [position];
        },
      },
      topics,
      group: 'projector',
      now: time.now,
      schedule: time.schedule,
      onError: (error) => errors.push((error as Error).message),
      ...(listedAtOnce !== undefined && { listedAtOnce }),
    });
  }
  afterEach(() => outboxRelay.stop());

  const times = () => published.map(({ at }) => at);

  it('FEED2 a commit that stays open for 2 s is republished, and then again at intervals that double up to 30 s, until it is closed', async () => {
    open = [commitName(stream(1), 1)];
    await time.pass(100_000);
    expect(times()).toEqual([3_000, 7_000, 15_000, 31_000, 61_000, 91_000]);
    open = [];
    await time.pass(100_000);
    expect(published).toHaveLength(6);
    expect(outboxRelay.republished()).toBe(6);
  });

  it('FEED2 commits that are closed within 2 s are not republished', async () => {
    for (let version = 1; version <= 20; version++) {
      open = [commitName(stream(1), version)];
      await time.pass(1_900);
    }
    expect(published).toEqual([]);
  });

  it("FEED2 the outbox relay measures a commit's age by its own clock, from the time when it first saw the commit", async () => {
    await time.pass(9_750);
    open = [commitName(stream(1), 1)];
    await time.pass(2_000);
    expect(published).toEqual([]);
    await time.pass(1_000);
    expect(times()).toEqual([12_000]);
  });

  it("FEED2 the outbox relay publishes a stream's commits in order", async () => {
    open = [3, 10, 1, 2].map((version) => commitName(stream(1), version));
    await time.pass(3_000);
    expect(published.map(({ name }) => name)).toEqual([1, 2, 3, 10].map((version) => commitName(stream(1), version)));
  });

  it('FEED2 an overdue commit is republished only once consumers have read everything that was in its partition when it became overdue', async () => {
    position = { ...position, next: 10, end: 50_000 };
    open = [commitName(stream(1), 1)];
    await time.pass(20_000);
    // Messages written after the commit fell due don't count, so consumers only have to reach offset 50,000.
    position = { ...position, next: 49_999, end: 60_000 };
    await time.pass(20_000);
    expect(published).toEqual([]);
    position = { ...position, next: 50_000 };
    await time.pass(1_000);
    expect(published).toHaveLength(1);
    // Before it publishes the commit a second time, the relay waits for consumers to reach the partition's new end.
    await time.pass(60_000);
    expect(published).toHaveLength(1);
    position = { ...position, next: 60_000 };
    await time.pass(1_000);
    expect(published).toHaveLength(2);
  });

  it('FEED2 if a topic is lost, the outbox relay republishes its open commits', async () => {
    position = { ...position, next: 10, end: 50_000 };
    open = [commitName(stream(1), 1)];
    await time.pass(5_000);
    position = { ...position, next: 0, end: 0 };
    await time.pass(1_000);
    expect(published).toHaveLength(1);
  });

  it('FEED2 the outbox relay publishes 4,500 open commits in rounds of at most 2,000', async () => {
    open = Array.from({ length: 4_500 }, (_, index) => commitName(stream(index), 1));
    await time.pass(5_100);
    const rounds = [3_000, 4_000, 5_000].map((at) => published.filter((one) => one.at === at).length);
    expect(rounds).toEqual([2_000, 2_000, 500]);
    expect(new Set(published.map(({ name }) => name)).size).toBe(4_500);
  });

  /** Returns the names of `count` stopped commits, which stay open because their streams can't be projected. */
  const stoppedCommits = (count: number) => Array.from({ length: count }, (_, index) => commitName(stream(index), 1));
  const lost = commitName(stream(0xfffff), 1);
  /**
   * Returns the time from the lost commit's append until it is published, in ms, or Infinity if that takes over 10 s.
   */
  async function untilPublished(): Promise<number> {
    const appended = time.now();
    await time.pass(10_000);
    return (published.find(({ name }) => name === lost)?.at ?? Number.POSITIVE_INFINITY) - appended;
  }

  it.each([2_000, 25_000])(
    "FEED3 the outbox relay publishes a lost commit within 5 s, even if %i commits are parked because they can't be projected",
    async (count) => {
      open = stoppedCommits(count);
      await time.pass(60_000);
      open = [...open, lost];
      const waited = await untilPublished();
      console.info(`${count} stopped commits: the lost one is published after ${waited / 1_000} s`);
      expect(waited).toBeLessThanOrEqual(5_000);
    },
  );

  it('FEED3 the outbox relay publishes a lost commit within 5 s, even if parked commits fill the list, once one of them is closed', async () => {
    await outboxRelay.stop();
    outboxRelay = start(100);
    open = [...stoppedCommits(100), lost];
    await time.pass(60_000);
    expect(published.map(({ name }) => name)).not.toContain(lost);
    open = open.slice(1);
    expect(await untilPublished()).toBeLessThanOrEqual(5_000);
  });

  it("FEED3 the outbox relay publishes a lost commit within 5 s of startup, even if 2,000 other open commits can't be projected", async () => {
    open = [...stoppedCommits(2_000), lost];
    expect(await untilPublished()).toBeLessThanOrEqual(5_000);
  });

  it('FEED3 the outbox relay republishes at most 10 parked commits per second, but retries each of them within 4 minutes', async () => {
    open = stoppedCommits(2_000);
    await time.pass(60_000);
    published = [];
    await time.pass(240_000);
    console.info(`2,000 stopped commits: ${published.length / 240} sends per second`);
    expect(published.length).toBeLessThanOrEqual(2_400);
    expect(new Set(published.map(({ name }) => name)).size).toBe(2_000);
  });

  it('FEED3 all parked commits are published within 30 s once their streams can be projected again', async () => {
    open = stoppedCommits(2_000);
    await time.pass(60_000);
    publish = async (name) => {
      open = open.filter((other) => other !== name);
    };
    await time.pass(30_000);
    expect(open).toEqual([]);
  });

  it('FEED3 the outbox relay finds a lost commit behind 45,000 other open commits', async () => {
    open = [...stoppedCommits(45_000), lost];
    await time.pass(30_000);
    expect(published.map(({ name }) => name)).toContain(lost);
  });

  it('FEED2 once a commit is closed, the outbox relay no longer reads it or requests consumer positions for it', async () => {
    open = [commitName(stream(1), 1)];
    await time.pass(3_000);
    expect(asked).toMatchObject({ reads: 1, positions: [['shop.order']] });
    open = [];
    await time.pass(60_000);
    expect(asked).toMatchObject({ reads: 1, positions: [['shop.order']] });
  });

  it('FEED2 the outbox relay keeps publishing open commits after a round has failed', async () => {
    open = [commitName(stream(1), 1)];
    publish = () => Promise.reject(new NotPublished('A send has failed.'));
    await time.pass(3_000);
    expect(errors).toEqual(['A send has failed.']);
    expect(outboxRelay.republished()).toBe(0);
    publish = async () => {};
    await time.pass(4_000);
    expect(outboxRelay.republished()).toBe(1);
  });

  it('FEED2 the outbox relay skips a name that is not a valid commit name', async () => {
    open = ['strange', commitName(stream(1), 1)];
    await time.pass(3_000);
    expect(published.map(({ name }) => name)).toEqual([commitName(stream(1), 1)]);
  });

  it('the outbox relay sends no requests to the brokers while no commit is overdue', async () => {
    await time.pass(60_000);
    open = [commitName(stream(1), 1)];
    await time.pass(1_000);
    expect(asked).toMatchObject({ positions: [], reads: 0 });
  });

  it('the outbox relay looks for open commits once a second', async () => {
    await time.pass(9_900);
    expect(asked.looks).toBe(10);
  });

  it('the outbox relay requests consumer positions only for topics that have overdue commits', async () => {
    open = [commitName(stream(1), 1), commitName(stream(2), 1)];
    await time.pass(3_000);
    expect(asked.positions).toEqual([['shop.order']]);
  });

  it("the outbox relay's stop() waits for the round in flight and leaves no timer running", async () => {
    open = [commitName(stream(1), 1)];
    let end = () => {};
    publish = () =>
      new Promise((resolve) => {
        end = resolve;
      });
    await time.pass(3_000);
    let stopped = false;
    const stopping = outboxRelay.stop().then(() => {
      stopped = true;
    });
    await time.settle();
    expect(stopped).toBe(false);
    end();
    await stopping;
    await time.pass(60_000);
    expect(published).toHaveLength(1);
    expect(time.delays()).toEqual([]);
  });
});
