import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createReadYourWrites } from './read-your-writes.ts';

const A = 'order-aaaaaaaaaaaaaaaaaaaaaaaa';
const B = 'order-bbbbbbbbbbbbbbbbbbbbbbbb';

describe("READ1 waiting for this process's own appends", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** Returns an object whose `settled` property is undefined until `wait` resolves, and then has the resolved value. */
  function watch(wait: Promise<boolean>): { settled?: boolean } {
    const seen: { settled?: boolean } = {};
    void wait.then((settled) => {
      seen.settled = settled;
    });
    return seen;
  }
  const turn = () => vi.advanceTimersByTimeAsync(0);

  it('READ1 a list request does not wait if all appends to streams of the listed kind are projected', async () => {
    const recent = createReadYourWrites();
    recent.appended(A, 1);
    recent.projected(A, 1);
    recent.appended('product-aaaaaaaaaaaaaaaaaaaaaaaa', 1);
    expect(await recent.caughtUp('order')).toBe(true);
  });

  it('READ1 a list request waits until each stream is projected up to the last version appended before the request', async () => {
    const recent = createReadYourWrites();
    recent.appended(A, 2);
    recent.appended(B, 1);
    const wait = watch(recent.caughtUp('order'));
    recent.projected(A, 1);
    recent.projected(B, 1);
    await turn();
    expect(wait.settled).toBeUndefined();
    // The list doesn't wait for appends made after its request. Otherwise, a busy shop might never return a list.
    recent.appended(A, 9);
    recent.projected(A, 2);
    await turn();
    expect(wait.settled).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
    expect(watch(recent.caughtUp('order')).settled).toBeUndefined();
  });

  it('READ1 a list request stops waiting after a second, and the next request does not wait for the same append', async () => {
    const recent = createReadYourWrites();
    recent.appended(A, 1);
    const wait = watch(recent.caughtUp('order'));
    await vi.advanceTimersByTimeAsync(999);
    expect(wait.settled).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    expect(wait.settled).toBe(false);
    expect(await recent.caughtUp('order')).toBe(true);
  });

  it('READ1 a process without a projector polls the read models until they are up to date', async () => {
    let version = 0;
    const polls = {
      getMany: async (_kind: string, ids: readonly string[]) => ids.map((id) => ({ id, version })) as never,
    };
    const recent = createReadYourWrites({ polls });
    recent.appended(A, 2);
    const wait = watch(recent.caughtUp('order'));
    version = 1;
    await vi.advanceTimersByTimeAsync(100);
    expect(wait.settled).toBeUndefined();
    version = 2;
    await vi.advanceTimersByTimeAsync(20);
    expect(wait.settled).toBe(true);
  });

  it('READ1 each polling round looks up every stream only once, 200 streams at a time, however many list requests are waiting', async () => {
    const answers: (() => void)[] = [];
    const asked: (readonly string[])[] = [];
    const recent = createReadYourWrites({
      polls: {
        async getMany(_kind: string, ids: readonly string[]) {
          asked.push(ids);
          await new Promise<void>((resolve) => answers.push(resolve));
          return ids.map((id) => ({ id, version: 1 })) as never;
        },
      },
    });
    const streams = Array.from({ length: 500 }, (_, n) => n.toString(16).padStart(24, '0'));
    for (const id of streams) recent.appended(`order-${id}`, 1);
    const lists = Array.from({ length: 50 }, () => watch(recent.caughtUp('order')));
    // No other lookup starts until the first one has returned.
    await vi.advanceTimersByTimeAsync(400);
    expect(asked.length).toBe(1);
    for (let look = 0; look < 3; look += 1) {
      expect(answers).toHaveLength(look + 1);
      answers.at(-1)?.();
      await turn();
    }
    expect(asked.map((ids) => ids.length)).toEqual([200, 200, 100]);
    expect(new Set(asked.flat())).toEqual(new Set(streams));
    expect(lists.map(({ settled }) => settled)).toEqual(lists.map(() => true));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(asked).toHaveLength(3);
  });

  it('READ1 a failed lookup is retried, and a lookup that never returns delays a list request by at most a second', async () => {
    let fails = true;
    const recent = createReadYourWrites({
      polls: {
        getMany: async (_kind: string, ids: readonly string[]) => {
          if (fails) throw new Error('away');
          return ids.map((id) => ({ id, version: 1 })) as never;
        },
      },
    });
    recent.appended(A, 1);
    const wait = watch(recent.caughtUp('order'));
    await vi.advanceTimersByTimeAsync(100);
    expect(wait.settled).toBeUndefined();
    fails = false;
    await vi.advanceTimersByTimeAsync(20);
    expect(wait.settled).toBe(true);

    const silent = createReadYourWrites({ polls: { getMany: () => new Promise(() => {}) } });
    silent.appended(A, 1);
    const given = watch(silent.caughtUp('order'));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(given.settled).toBe(false);
  });

  it('READ1 polling stops once no list request is waiting, whether the last one caught up or timed out', async () => {
    let version = 0;
    let asked = 0;
    const recent = createReadYourWrites({
      polls: {
        async getMany(_kind: string, ids: readonly string[]) {
          asked += 1;
          return ids.map((id) => ({ id, version })) as never;
        },
      },
    });
    for (const last of [0, 1]) {
      version = last;
      recent.appended(A, 1);
      const wait = watch(recent.caughtUp('order'));
      await vi.advanceTimersByTimeAsync(1_100);
      expect(wait.settled).toBe(last === 1);
      const before = asked;
      expect(before).toBeGreaterThan(0);
      await vi.advanceTimersByTimeAsync(10_000);
      expect([asked, vi.getTimerCount()]).toEqual([before, 0]);
    }
  });

  it('READ1 the next list request waits for events that were appended before the previous request timed out', async () => {
    const recent = createReadYourWrites();
    recent.appended(A, 1);
    const first = watch(recent.caughtUp('order'));
    await vi.advanceTimersByTimeAsync(500);
    recent.appended(A, 2);
    await vi.advanceTimersByTimeAsync(500);
    expect(first.settled).toBe(false);
    const next = watch(recent.caughtUp('order'));
    await turn();
    expect(next.settled).toBeUndefined();
    recent.projected(A, 1);
    await turn();
    expect(next.settled).toBeUndefined();
    recent.projected(A, 2);
    await turn();
    expect(next.settled).toBe(true);
  });

  it('READ1 a list request waits only for the maxStreams most recently changed streams', async () => {
    const recent = createReadYourWrites({ maxStreams: 1 });
    recent.appended(A, 1);
    recent.appended(B, 1);
    recent.projected(B, 1);
    expect(await recent.caughtUp('order')).toBe(true);
  });
});
