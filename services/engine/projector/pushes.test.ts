import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { streamName } from '../../contracts/ids.ts';
import { createInProcessBroadcast } from './broadcast.ts';
import { openSampleLog, orderStream, type SampleLog } from './sample-log.fixture.ts';
import { closedUser, orderIdOf, productId } from './sample-streams.fixture.ts';

describe("the projector's pushes", () => {
  let core: SampleLog['core'];
  let stored: SampleLog['stored'];
  let pushed: SampleLog['pushed'];
  let projectorOf: SampleLog['projectorOf'];
  let documents: SampleLog['documents'];
  let close: SampleLog['close'];
  beforeEach(async () => {
    ({ core, stored, pushed, projectorOf, documents, close } = await openSampleLog());
  });
  afterEach(() => close());

  it("PRJ6 redelivering a removed product's first event pushes the removal, not the product", async () => {
    await (await projectorOf()).project(stored);
    pushed.length = 0;
    // A new projector has an empty cache, like one in another process or after a restart.
    const projector = await projectorOf();
    for (const { type, ...event } of stored) {
      if (event.streamversion === 1) await projector.project([{ type, ...event }]);
    }
    const versions = (await documents()).map((document) => JSON.parse(document).version);
    expect(pushed.map(({ push }) => push.version)).toEqual(versions);
    expect(pushed.find(({ push }) => push.kind === 'product')).toMatchObject({ push: { id: productId, view: null } });
  });

  it('PRJ6 if another process has already saved a newer version of a document, the projector pushes that version', async () => {
    const others = stored.filter((event) => event.subject === orderStream);
    const { save } = core.readModels;
    const projector = await projectorOf({
      readModels: {
        ...core.readModels,
        async save(found) {
          await (await projectorOf()).project(others);
          pushed.length = 0;
          return save(found);
        },
      },
    });
    await projector.project(others.slice(0, 3));
    expect(pushed.map(({ push }) => [push.version, push.view && 'status' in push.view && push.view.status])).toEqual([
      [6, 'shipped'],
    ]);
  });

  it('PRJ6 a document is saved before it is pushed, and nothing is pushed if the save fails', async () => {
    const order: string[] = [];
    const readModels = { ...core.readModels };
    const projector = await projectorOf({
      readModels,
      broadcast: { ...createInProcessBroadcast(), publish: ({ push }) => void order.push(`push ${push.version}`) },
    });
    const { save } = core.readModels;
    readModels.save = async (found) => {
      const newer = await save(found);
      order.push(`saved ${found[0]?.version}`);
      return newer;
    };
    const events = stored.filter((event) => event.subject === orderStream);
    await projector.project(events.slice(0, 1));
    await projector.project(events.slice(1, 2));
    expect(order).toEqual(['saved 1', 'push 1', 'saved 2', 'push 2']);
    readModels.save = () => Promise.reject(new Error('no disk'));
    await expect(projector.project(events.slice(2, 3))).rejects.toThrow('no disk');
    expect(order).toHaveLength(4);
  });

  it('LIVE1 a push contains the whole view with its version, and redelivering an event pushes the view again', async () => {
    const projector = await projectorOf();
    const events = stored.filter((event) => event.subject === orderStream);
    await projector.project(events.slice(0, 5));
    await projector.project(events.slice(4, 5));
    expect(pushed.map(({ push }) => [push.kind, push.version])).toEqual([
      ['order', 5],
      ['order', 5],
    ]);
    expect(pushed[0]).toMatchObject({
      audiences: [`user:${'c'.repeat(32)}`, 'admins'],
      push: {
        view: { _id: orderIdOf(1), paid: true, price: 12_500.5, totalPrice: 25_001, status: '' },
        at: { projected: 2_000 },
      },
    });
  });

  it('LIVE1 a cancelled order, a removed product and a closed account are pushed with a null view', async () => {
    await (await projectorOf()).project(stored);
    const gone = pushed.filter(({ push }) => push.view === null).map(({ push }) => [push.kind, push.id, push.version]);
    expect(gone).toEqual([
      ['product', productId, 7],
      ['order', orderIdOf(2), 6],
      ['user', closedUser, 4],
    ]);
  });

  it('LIVE6 a push is paced only if all events behind it are stock changes', async () => {
    const projector = await projectorOf();
    const changes = stored.filter(({ subject }) => subject === streamName('product', productId));
    for (const event of changes) await projector.project([event]);
    const pacedAlone = pushed.map(({ paced }) => paced);
    expect(pacedAlone).toEqual(changes.map(({ type }) => type.startsWith('Stock')));
    expect(new Set(pacedAlone)).toEqual(new Set([true, false]));
    await core.readModels.clear();
    pushed.length = 0;
    await (await projectorOf()).project(stored);
    expect(pushed.filter(({ paced }) => paced)).toEqual([]);
  });

  it('LIVE3 changes to a user are pushed to that user and to admins, and changes to a product are pushed to everyone', async () => {
    await (await projectorOf()).project(stored);
    const audiences = new Map(pushed.map(({ push, audiences }) => [`${push.kind}-${push.id}`, audiences]));
    expect(audiences.get(`user-${closedUser}`)).toEqual([`user:${closedUser}`, 'admins']);
    expect(audiences.get(`product-${productId}`)).toEqual(['everyone']);
  });

  it('LIVE3 pushed views contain no internal fields', async () => {
    await (await projectorOf()).project(stored);
    const text = JSON.stringify(pushed.map(({ push }) => push.view));
    for (const field of ['customer', 'owes', 'uid', 'removed', 'author', 'createdAt'])
      expect(text).not.toContain(`"${field}":`);
  });
});
