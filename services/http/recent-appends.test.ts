import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createRecentAppends } from './recent-appends.ts';

const A = 'order-aaaaaaaaaaaaaaaaaaaaaaaa';
const B = 'order-bbbbbbbbbbbbbbbbbbbbbbbb';

describe('READ1 waiting for what was appended here', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** What a wait has come to: undefined while it goes on. */
  function watch(wait: Promise<boolean>): { settled?: boolean } {
    const seen: { settled?: boolean } = {};
    void wait.then((settled) => {
      seen.settled = settled;
    });
    return seen;
  }
  const turn = () => vi.advanceTimersByTimeAsync(0);

  it('READ1 does not wait where nothing is missing, or what is missing is of another kind', async () => {
    const recent = createRecentAppends();
    recent.appended(A, 1);
    recent.projected(A, 1);
    recent.appended('product-aaaaaaaaaaaaaaaaaaaaaaaa', 1);
    expect(await recent.caughtUp('order')).toBe(true);
  });

  it('READ1 waits until each stream is projected up to the version that was appended before', async () => {
    const recent = createRecentAppends();
    recent.appended(A, 2);
    recent.appended(B, 1);
    const wait = watch(recent.caughtUp('order'));
    recent.projected(A, 1);
    recent.projected(B, 1);
    await turn();
    expect(wait.settled).toBeUndefined();
    // What is appended while a list waits is not waited for, or a busy shop would never answer.
    recent.appended(A, 9);
    recent.projected(A, 2);
    await turn();
    expect(wait.settled).toBe(true);
    expect(watch(recent.caughtUp('order')).settled).toBeUndefined();
  });

  it('READ1 gives up after a second, and does not wait for the same again', async () => {
    const recent = createRecentAppends();
    recent.appended(A, 1);
    const wait = watch(recent.caughtUp('order'));
    await vi.advanceTimersByTimeAsync(999);
    expect(wait.settled).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    expect(wait.settled).toBe(false);
    expect(await recent.caughtUp('order')).toBe(true);
  });

  it('READ1 asks the read models where no projector of this process tells', async () => {
    let version = 0;
    const polls = {
      getMany: async (_kind: string, ids: readonly string[]) => ids.map((id) => ({ id, version })) as never,
    };
    const recent = createRecentAppends({ polls });
    recent.appended(A, 2);
    const wait = watch(recent.caughtUp('order'));
    version = 1;
    await vi.advanceTimersByTimeAsync(100);
    expect(wait.settled).toBeUndefined();
    version = 2;
    await vi.advanceTimersByTimeAsync(20);
    expect(wait.settled).toBe(true);
  });

  it('READ1 remembers no more streams than it may', async () => {
    const recent = createRecentAppends({ maxStreams: 1 });
    recent.appended(A, 1);
    recent.appended(B, 1);
    recent.projected(B, 1);
    expect(await recent.caughtUp('order')).toBe(true);
  });
});
