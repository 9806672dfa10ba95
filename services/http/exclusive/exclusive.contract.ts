import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Exclusive, ExclusiveUnavailable } from './exclusive.ts';

/** Two that share their names, as two processes do; where work is alone in one process only, both are the same. */
export interface ExclusiveHarness {
  readonly one: Exclusive;
  readonly other: Exclusive;
  /** Closes both and removes the data. */
  dispose(): Promise<void>;
}

/** A promise and the function that resolves it. */
function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open: () => open(), opened };
}

/** What every adapter of Exclusive keeps. */
export function exclusiveContract(adapter: string, start: () => Promise<ExclusiveHarness>): void {
  describe(`Exclusive: ${adapter}`, () => {
    let harness: ExclusiveHarness;
    beforeEach(async () => {
      harness = await start();
    });
    afterEach(() => harness.dispose());

    it('C5 works of one name never overlap, whoever asks, and none is left out', async () => {
      let running = 0;
      const most: number[] = [];
      const works = Array.from({ length: 20 }, (_, index) =>
        (index % 2 === 0 ? harness.one : harness.other).run('name', async () => {
          running += 1;
          most.push(running);
          await new Promise((resolve) => setImmediate(resolve));
          running -= 1;
          return index;
        }),
      );
      expect(await Promise.all(works)).toEqual(Array.from({ length: 20 }, (_, index) => index));
      expect(most).toEqual(Array(20).fill(1));
    });

    it('C5 works that one process asks for run in the order asked', async () => {
      const order: number[] = [];
      const works = Array.from({ length: 10 }, (_, index) =>
        harness.one.run('name', async () => {
          if (index % 3 === 0) await new Promise((resolve) => setImmediate(resolve));
          order.push(index);
        }),
      );
      await Promise.all(works);
      expect(order).toEqual(Array.from({ length: 10 }, (_, index) => index));
    });

    it('C5 whoever asks while one works waits for it, also after an earlier one has ended', async () => {
      const [begun, end] = [gate(), gate()];
      const order: string[] = [];
      const first = harness.one.run('name', async () => order.push('first'));
      const second = harness.one.run('name', async () => {
        begun.open();
        await end.opened;
        order.push('second');
      });
      await Promise.all([first, begun.opened]);
      const third = harness.one.run('name', async () => order.push('third'));
      await new Promise((resolve) => setImmediate(resolve));
      end.open();
      await Promise.all([second, third]);
      expect(order).toEqual(['first', 'second', 'third']);
    });

    it('C5 works of different names do not wait for each other', async () => {
      const [first, second] = [gate(), gate()];
      const both = [
        harness.one.run('a', async () => {
          first.open();
          await second.opened;
        }),
        harness.other.run('b', async () => {
          second.open();
          await first.opened;
        }),
      ];
      await Promise.all(both);
    });

    it('C5 what a work throws reaches its caller, and the next is let in', async () => {
      const failing = harness.one.run('name', async () => {
        throw new Error('refused');
      });
      const next = harness.other.run('name', async () => 'done');
      await expect(failing).rejects.toThrow('refused');
      expect(await next).toBe('done');
    });

    it('C5 closing lets the work that runs end, and refuses what waits or comes later', async () => {
      const [begun, end] = [gate(), gate()];
      const started: string[] = [];
      const running = harness.one.run('name', async () => {
        begun.open();
        await end.opened;
        return 'done';
      });
      await begun.opened;
      const waiting = harness.one.run('name', async () => started.push('waiting'));
      const refused = expect(waiting).rejects.toThrow(ExclusiveUnavailable);
      let closed = false;
      const closing = harness.one.close().then(() => {
        closed = true;
      });
      await expect(harness.one.run('name', async () => started.push('later'))).rejects.toThrow(ExclusiveUnavailable);
      expect(closed).toBe(false);
      end.open();
      expect(await running).toBe('done');
      await Promise.all([refused, closing]);
      expect(started).toEqual([]);
    });
  });
}
