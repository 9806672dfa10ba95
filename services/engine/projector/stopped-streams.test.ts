import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSampleLog, orderStream, type SampleLog } from './sample-log.fixture.ts';
import { orderIdOf, productId } from './sample-streams.fixture.ts';

describe('streams that cannot be projected', () => {
  let core: SampleLog['core'];
  let stored: SampleLog['stored'];
  let projectorOf: SampleLog['projectorOf'];
  let poison: SampleLog['poison'];
  let close: SampleLog['close'];
  beforeEach(async () => {
    ({ core, stored, projectorOf, poison, close } = await openSampleLog());
  });
  afterEach(() => close());

  it('PRJ4 a stopped stream is listed with the times of its first and last failures until it is projected successfully', async () => {
    let now = 1_000;
    const { poisoned, sealing } = poison();
    const projector = await projectorOf({ sealing, clock: () => now });
    await projector.project(stored);
    const first = { stream: orderStream, since: 1_000, error: 'poison' };
    for (const [attempts, triedAt] of [
      [2, 31_000],
      [3, 200_000],
    ] as const) {
      now = triedAt;
      await projector.project(stored);
      expect(projector.stoppedStreams()).toMatchObject([{ ...first, triedAt, attempts }]);
    }
    poisoned.yes = false;
    await projector.project(stored);
    poisoned.yes = true;
    now = 300_000;
    await projector.project(stored);
    expect(projector.stoppedStreams()).toMatchObject([{ ...first, since: now, triedAt: now, attempts: 1 }]);
  });

  it('PRJ4 a poison event stops only its own stream, and only until the event can be decrypted', async () => {
    const { poisoned, sealing } = poison();
    const projector = await projectorOf({ sealing });
    const notDone = await projector.project(stored);
    expect([...notDone].sort()).toEqual(
      stored
        .filter((event) => event.subject === orderStream)
        .map((event) => event.id)
        .sort(),
    );
    expect(projector.stoppedStreams()).toMatchObject([{ stream: orderStream, attempts: 1, error: 'poison' }]);
    expect(await core.readModels.get('product', productId)).toMatchObject({ version: 7 });
    expect(await core.readModels.get('order', orderIdOf(1))).toBeNull();
    poisoned.yes = false;
    expect(await projector.project(stored.filter((event) => notDone.has(event.id)))).toEqual(new Set());
    expect(projector.stoppedStreams()).toEqual([]);
    expect(await core.readModels.get('order', orderIdOf(1))).toMatchObject({ version: 6 });
  });
});
