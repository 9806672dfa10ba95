import { describe, expect, it, vi } from 'vitest';
import { supervise } from './supervise.ts';

/** A child that loads and exits when the test says so. */
function fakeChild() {
  let end = () => {};
  const exited = new Promise<void>((resolve) => {
    end = resolve;
  });
  let load = () => {};
  const ready = new Promise<void>((resolve) => {
    load = resolve;
  });
  return { ready, load, exited, end, stop: vi.fn(async () => end()) };
}

function keeping() {
  let now = 0;
  const children = [fakeChild()];
  children[0]?.load();
  const reasons: string[] = [];
  const kept = supervise(
    'simulator',
    children[0] ?? fakeChild(),
    async () => {
      const next = fakeChild();
      children.push(next);
      return next;
    },
    { clock: () => now, logger: { warn: () => {} }, onGivenUp: (reason) => reasons.push(reason) },
  );
  const endLast = async () => {
    const before = children.length;
    children.at(-1)?.end();
    await vi.waitUntil(() => children.length > before || reasons.length > 0);
  };
  const advance = (milliseconds: number) => {
    now += milliseconds;
  };
  return { kept, children, reasons, endLast, advance };
}

describe('a supervised child process', () => {
  it('a supervised child process is restarted each time it exits, until it is stopped', async () => {
    const { kept, children, reasons, endLast, advance } = keeping();
    for (let ends = 1; ends <= 10; ends += 1) {
      await endLast();
      expect(children).toHaveLength(ends + 1);
      advance(20_000);
    }
    await kept.stop();
    expect(children.at(-1)?.stop).toHaveBeenCalledOnce();
    expect([children.length, reasons]).toEqual([11, []]);
  });

  it('a supervised child process counts as ready only while it is running and has finished loading', async () => {
    const { kept, children, endLast } = keeping();
    await vi.waitUntil(kept.isReady);
    await endLast();
    expect(kept.isReady()).toBe(false);
    children.at(-1)?.load();
    await vi.waitUntil(kept.isReady);
    await kept.stop();
    expect(kept.isReady()).toBe(false);
  });

  it('a child process that exits five times within a minute is not restarted again, and the reason is reported', async () => {
    const { reasons, children, endLast } = keeping();
    for (let ends = 0; ends < 5; ends += 1) await endLast();
    expect(reasons).toEqual(['The simulator has ended 5 times within a minute.']);
    expect(children).toHaveLength(5);
  });
});
