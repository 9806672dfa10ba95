import { describe, expect, it } from 'vitest';
import { holdTime } from './held-time.fixture.ts';
import { createOffsetCommits, type NextOffset } from './offset-commits.ts';

const at = (partition: number, next: number): NextOffset => ({ topic: 'orders', partition, next });

/** Offset commits on a held clock, and what the broker was told. */
function gather(answer: (told: readonly NextOffset[]) => Promise<void> = async () => {}) {
  const time = holdTime();
  const told: (readonly NextOffset[])[] = [];
  const errors: unknown[] = [];
  const offsets = createOffsetCommits({
    commit(positions) {
      told.push(positions);
      return answer(positions);
    },
    onError: (error) => errors.push(error),
    after: 200,
    schedule: time.schedule,
  });
  return { offsets, time, told, errors };
}

describe('offset commits', () => {
  it('FEED1 tells of all partitions at once, of each how far it is by then', async () => {
    const { offsets, time, told } = gather();
    offsets.done(at(0, 5));
    await time.pass(150);
    offsets.done(at(1, 3));
    offsets.done(at(0, 9));
    expect(told).toEqual([]);
    await time.pass(50);
    expect(told).toEqual([[at(0, 9), at(1, 3)]]);
    await time.pass(1_000);
    expect(told).toHaveLength(1);
  });

  it('FEED1 tells what is left when it is closed, and nothing after that', async () => {
    const { offsets, time, told } = gather();
    offsets.done(at(0, 5));
    await offsets.close();
    offsets.done(at(0, 6));
    await time.pass(1_000);
    expect(told).toEqual([[at(0, 5)]]);
  });

  it('FEED1 tells nothing newer before the broker has answered', async () => {
    let letGo = () => {};
    const { offsets, time, told } = gather(() => new Promise((resolve) => (letGo = resolve)));
    offsets.done(at(0, 5));
    await time.pass(200);
    offsets.done(at(0, 6));
    await time.pass(200);
    expect(told).toEqual([[at(0, 5)]]);
    letGo();
    await time.settle();
    expect(told).toEqual([[at(0, 5)], [at(0, 6)]]);
  });

  it('FEED1 says nothing of a partition that another consumer has by now', async () => {
    const { offsets, time, told } = gather();
    offsets.done(at(0, 5));
    offsets.done(at(1, 3));
    offsets.keepOnly([{ topic: 'orders', partition: 1 }]);
    offsets.done(at(0, 6));
    await time.pass(200);
    expect(told).toEqual([[at(1, 3)]]);
  });

  it('FEED1 tells again what the broker did not take, unless more is done by then or the partition is gone', async () => {
    const refusals = [new Error('the group is parted anew')];
    let offsetsMoved = () => {};
    const { offsets, time, told, errors } = gather(async () => {
      offsetsMoved();
      const refusal = refusals.pop();
      if (refusal) throw refusal;
    });
    offsetsMoved = () => {
      offsets.keepOnly([
        { topic: 'orders', partition: 0 },
        { topic: 'orders', partition: 1 },
      ]);
      offsets.done(at(1, 8));
    };
    for (const position of [at(0, 5), at(1, 3), at(2, 4)]) offsets.done(position);
    await time.pass(200);
    expect(errors).toEqual([new Error('the group is parted anew')]);
    offsetsMoved = () => {};
    await time.pass(200);
    expect(told).toEqual([
      [at(0, 5), at(1, 3), at(2, 4)],
      [at(1, 8), at(0, 5)],
    ]);
    expect(errors).toHaveLength(1);
  });
});
