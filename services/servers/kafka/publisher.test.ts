import { beforeEach, describe, expect, it } from 'vitest';
import { commitName, type StreamName, streamName } from '../../contracts/ids.ts';
import type { NamedCommit } from '../../engine/feed/outbox.ts';
import { sampleEvent } from '../../engine/log/sample-events.fixture.ts';
import { bytesKept } from '../../runtime/heap.fixture.ts';
import { type HeldTime, holdTime } from '../../runtime/held-time.fixture.ts';
import { type HeldSends, holdSends } from './held-sends.fixture.ts';
import { createPublisher, NotPublished, type Publisher, type PublisherOptions } from './publisher.ts';
import { topicsOf } from './topics.ts';

const topics = topicsOf('shop');
/** Two streams in one partition, and one stream in the other. */
const [even, sameAsEven, odd] = ['0', '2', '1'].map((digit) => streamName('order', `${'a'.repeat(23)}${digit}`)) as [
  StreamName,
  StreamName,
  StreamName,
];

function commit(stream: StreamName, version: number, size = 1, filling = ''): NamedCommit {
  const events = Array.from({ length: size }, (_, index) =>
    sampleEvent(stream, version + index, { data: { filling } }),
  );
  return { name: commitName(stream, version), events };
}

describe('publisher', () => {
  let sends: HeldSends;
  let time: HeldTime;
  let publisher: Publisher;
  const open = (options: Partial<PublisherOptions> = {}) => {
    publisher = createPublisher({ cluster: sends.cluster, topics, schedule: time.schedule, ...options });
  };
  beforeEach(() => {
    sends = holdSends();
    time = holdTime();
    open();
  });

  /** Publishes a commit. Returns 'published', or else the error's message followed by the message of its cause. */
  const publish = (one: NamedCommit) =>
    publisher.publish(one).then(
      () => 'published',
      (error: Error) => `${error.message} ${(error.cause as Error | undefined)?.message ?? ''}`.trim(),
    );
  const state = (promise: Promise<string>) => Promise.race([promise, time.settle().then(() => 'under way')]);
  const versions = (at: number) => sends.all[at]?.messages.map(({ headers }) => Number(headers.ce_streamversion));

  it("FEED1 a commit counts as published only once the broker's reply names its partition", async () => {
    const published = publish(commit(even, 1));
    expect(await state(published)).toBe('under way');
    expect(sends.open.map(({ to }) => to)).toEqual([{ topic: 'shop.order', partition: 0 }]);
    sends.open[0]?.reply();
    expect(await published).toBe('published');
  });

  it.each([
    ['no partition', []],
    ['another partition', [{ topic: 'shop.order', partition: 1 }]],
    ['another topic', [{ topic: 'shop.user', partition: 0 }]],
  ])("FEED1 a commit does not count as published if the broker's reply names %s", async (_, written) => {
    const published = publish(commit(even, 1));
    await time.settle();
    sends.open[0]?.reply(written);
    expect(await published).toBe("A send has failed. The broker's reply does not name partition 0 of shop.order.");
  });

  it('FEED1 only one send per partition is in flight at a time, and commits that arrive during a send are then sent together, in order', async () => {
    const publishing = [publish(commit(even, 1))];
    await time.settle();
    for (const one of [commit(even, 2, 2), commit(sameAsEven, 1), commit(even, 4)]) publishing.push(publish(one));
    await time.settle();
    expect(sends.open).toHaveLength(1);
    sends.open[0]?.reply();
    await time.settle();
    expect(sends.open).toHaveLength(1);
    expect(versions(1)).toEqual([2, 3, 1, 4]);
    sends.open[0]?.reply();
    expect(await Promise.all(publishing)).toEqual(['published', 'published', 'published', 'published']);
    expect(sends.all).toHaveLength(2);
  });

  it('FEED1 a slow partition does not delay other partitions', async () => {
    const [first, second] = [publish(commit(even, 1)), publish(commit(odd, 1))];
    await time.settle();
    expect(sends.open.map(({ to }) => to.partition)).toEqual([0, 1]);
    sends.open[1]?.reply();
    expect(await second).toBe('published');
    expect(await state(first)).toBe('under way');
  });

  it("FEED1 a stream's commits are sent in order even if they are published before the stream's partition is known", async () => {
    let known = (_: number) => {};
    const asked = new Promise<number>((resolve) => {
      known = resolve;
    });
    open({ cluster: { ...sends.cluster, partitionOf: () => asked } });
    for (const version of [1, 2, 3]) void publish(commit(even, version));
    await time.settle();
    known(0);
    await time.settle();
    expect(versions(0)).toEqual([1, 2, 3]);
  });

  it('FEED1 a commit is never split between sends, and no send is larger than a broker accepts', async () => {
    void publish(commit(even, 1));
    await time.settle();
    const large = 'x'.repeat(400_000);
    for (const one of [commit(even, 2, 2, large), commit(even, 4, 1, large), commit(even, 5, 3, large)])
      void publish(one);
    for (let version = 8; version < 1_210; version++) void publish(commit(even, version));
    for (let send = 0; send < 5; send++) {
      await time.settle();
      sends.open[0]?.reply();
    }
    expect([1, 2, 3].map(versions)).toEqual([[2, 3], [4], [5, 6, 7]]);
    expect(versions(4)).toHaveLength(1_000);
  });

  it('FEED2 a failed send rejects only its own commits, and later commits are still sent', async () => {
    const first = publish(commit(even, 1));
    await time.settle();
    const second = publish(commit(even, 2));
    sends.open[0]?.fail(new Error('the leader is gone'));
    expect(await first).toBe('A send has failed. the leader is gone');
    await time.settle();
    sends.open[0]?.reply();
    expect(await second).toBe('published');
  });

  it('FEED2 a commit whose partition cannot be determined is not published', async () => {
    const cluster = { ...sends.cluster, partitionOf: () => Promise.reject(new Error('no broker')) };
    open({ cluster, maxQueuedBytes: 3_000 });
    // There is room for the second commit, because the first is no longer queued.
    for (const version of [1, 5])
      expect(await publish(commit(even, version, 4))).toBe('The partitions of shop.order are not known. no broker');
  });

  it('FEED2 the publisher rejects commits while its queue is full, and accepts them again once there is room', async () => {
    open({ maxQueuedBytes: 3_000 });
    const [first, second] = [publish(commit(even, 1, 2)), publish(commit(even, 3, 2))];
    expect(await publish(commit(odd, 1))).toBe('The queue of the publisher is full.');
    await expect(publisher.publish(commit(odd, 1))).rejects.toBeInstanceOf(NotPublished);
    await time.settle();
    sends.open[0]?.reply();
    await first;
    expect(await state(publish(commit(odd, 1)))).toBe('under way');
    sends.open.at(-1)?.reply();
    sends.open[0]?.reply();
    await second;
    await time.settle();
    expect(await state(publish(commit(even, 5, 4)))).toBe('under way');
  });

  it('FEED2 the memory of published commits is freed', async () => {
    open({ cluster: { partitionOf: async () => 0, send: async (to) => [to] } });
    const one = commit(even, 1);
    const many = () => Promise.all(Array.from({ length: 20_000 }, () => publisher.publish(one)));
    await many();
    expect(await bytesKept(many)).toBeLessThan(1_000_000);
  });

  it('FEED2 close() sends the queued commits and rejects new ones', async () => {
    const publishing = [publish(commit(even, 1))];
    await time.settle();
    publishing.push(publish(commit(even, 2)));
    const closed = publisher.close().then(() => 'closed');
    expect(await publish(commit(even, 3))).toBe('The publisher is closed.');
    for (let send = 0; send < 2; send++) {
      expect(await state(closed)).toBe('under way');
      sends.open[0]?.reply();
    }
    expect(await Promise.all(publishing)).toEqual(['published', 'published']);
    expect(await closed).toBe('closed');
    expect(time.delays()).toEqual([]);
  });

  it('FEED2 close() waits at most drainMs, and then rejects the commits that have not been sent', async () => {
    void publish(commit(even, 1));
    await time.settle();
    const waiting = publish(commit(even, 2));
    const closed = publisher.close().then(() => 'closed');
    await time.pass(3_000);
    expect(await closed).toBe('closed');
    expect(await waiting).toBe('The publisher was closed.');
  });
});
