import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { IncompleteReadModels, rebuildReadModels } from './rebuild.ts';
import { openSampleLog, orderStream, type SampleLog } from './sample-log.fixture.ts';
import { orderIdOf } from './sample-streams.fixture.ts';

describe('rebuilding the read models', () => {
  let core: SampleLog['core'];
  let stored: SampleLog['stored'];
  let projectorOf: SampleLog['projectorOf'];
  let documents: SampleLog['documents'];
  let poison: SampleLog['poison'];
  let close: SampleLog['close'];
  beforeEach(async () => {
    ({ core, stored, projectorOf, documents, poison, close } = await openSampleLog());
  });
  afterEach(() => close());

  it('PRJ3 a rebuild, which runs no policies and decrypts only personal data, saves byte-for-byte the same documents as normal projection', async () => {
    const projector = await projectorOf({ runPolicies: async () => new Set() });
    for (const event of stored) await projector.project([event]);
    const before = await documents();
    expect(await rebuildReadModels({ ...core, projector: await projectorOf() })).toBe(stored.length);
    expect(await documents()).toEqual(before);
  });

  it('PRJ3 a rebuild discards the existing documents, including those without a stream', async () => {
    for (const event of stored) await (await projectorOf()).project([event]);
    const before = await documents();
    const order = await core.readModels.get('order', orderIdOf(1));
    if (!order) throw new Error('The order was not projected.');
    await core.readModels.save([
      { ...order, version: 99, status: 'cancelled' },
      { ...order, id: orderIdOf(404) },
    ]);
    await core.rebuild();
    expect(await documents()).toEqual(before);
    expect(await core.readModels.get('order', orderIdOf(404))).toBeNull();
  });

  it('PRJ3 an interrupted rebuild leaves the existing documents unchanged', async () => {
    for (const event of stored) await (await projectorOf()).project([event]);
    const before = await documents();
    const { readAll } = core.log;
    core.log.readAll = async (after, limit) => {
      if (after !== null) throw new Error('cut');
      return readAll(after, Math.min(limit, 3));
    };
    await expect(core.rebuild()).rejects.toThrow('cut');
    expect(await documents()).toEqual(before);
    core.log.readAll = readAll;
    expect(await core.rebuild()).toBe(stored.length);
    expect(await documents()).toEqual(before);
  });

  it("PRJ3 PRJ4 a failed rebuild's error names every stream that couldn't be projected, even one that failed hours earlier", async () => {
    let now = 0;
    const projector = await projectorOf({ sealing: poison().sealing, clock: () => now });
    const readAll: typeof core.log.readAll = (after, limit) => {
      now += 3_600_000;
      return core.log.readAll(after, Math.min(limit, 3));
    };
    await expect(rebuildReadModels({ ...core, log: { ...core.log, readAll }, projector })).rejects.toThrow(
      new IncompleteReadModels([`${orderStream} (poison)`]),
    );
  });

  it('PRJ4 an error about more than twenty stopped streams names the first twenty and counts the rest', () => {
    const names = Array.from({ length: 22 }, (_, n) => `order-${n} (poison)`);
    const { message } = new IncompleteReadModels(names);
    expect(message).toContain('order-19 (poison); and 2 more');
    expect(message).not.toContain('order-20');
  });
});
