import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RecordedEvent, StoredEvent } from '../../contracts/events.ts';
import { documentOf, parseStreamName, streamName } from '../../contracts/ids.ts';
import { openEmbeddedCore } from '../../embedded/embedded-core.ts';
import type { PushMessage } from './broadcast.ts';
import { createInProcessBroadcast } from './broadcast.ts';
import { currentDocument } from './current-document.ts';
import { createProjector, type ProjectorSettings } from './project.ts';
import { IncompleteReadModels, rebuildReadModels } from './rebuild.ts';
import { closedUser, orderIdOf, productId, STREAMS } from './sample-streams.fixture.ts';

const streams = [...STREAMS.keys()];
const orderStream = streamName('order', orderIdOf(1));
let folder: string;
let core: ReturnType<typeof openEmbeddedCore>;
let stored: StoredEvent[];
const pushed: PushMessage[] = [];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'projector-'));
  core = openEmbeddedCore({ dataDir: folder, clock: () => 1_000, logger: pino({ level: 'silent' }) });
  pushed.length = 0;
  stored = [];
  for (const [stream, plain] of STREAMS) {
    const events = await core.sealing.sealAll(plain);
    await core.log.append({ id: stream, stream, expectedVersion: 0, events });
    stored.push(...events);
  }
});
afterEach(async () => {
  await core.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A projector on the core's stores whose pushes are kept. */
async function projectorOf(change: Partial<ProjectorSettings> = {}) {
  const broadcast = createInProcessBroadcast();
  await broadcast.subscribe({ message: (message) => pushed.push(message), live: () => {} });
  return createProjector({ ...core, broadcast, clock: () => 2_000, ...change });
}

/** Every document as it lies in the store, byte for byte. */
async function documents(): Promise<string[]> {
  const names = streams.map(documentOf).filter((name) => name !== null);
  const found = await Promise.all(names.map(({ kind, id }) => core.readModels.get(kind, id)));
  return found.map((document) => JSON.stringify(document));
}

/** A repeatable shuffle (mulberry32), so that a failure names its seed. */
function shuffled<T>(items: readonly T[], seed: number): T[] {
  let state = seed;
  const random = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  return items
    .map((item) => ({ item, key: random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item);
}

describe('projector', () => {
  it('folds each stream into one document of its version', async () => {
    await (await projectorOf()).project(stored);
    expect(await core.readModels.get('order', orderIdOf(1))).toMatchObject({
      status: 'shipped',
      transactionId: 'pi_1',
      paidAt: '2026-01-01T00:00:04.000Z',
      shippedAt: '2026-01-01T00:00:05.000Z',
      owes: { intents: [], refunds: [] },
      version: 6,
    });
    expect(await core.readModels.get('order', orderIdOf(2))).toMatchObject({
      status: 'cancelled',
      cancelReason: 'expired',
      address: 'House 9, Sylhet',
      deliveryChangedAt: '2026-01-01T00:00:01.000Z',
      refundedAt: '2026-01-01T00:00:05.000Z',
      owes: { intents: [], refunds: [] },
    });
    expect(await core.readModels.get('order', orderIdOf(3))).toMatchObject({
      status: 'shipped',
      shippedAt: '2026-01-01T00:00:05.000Z',
      shipments: 2,
      parcel: null,
    });
    expect(await core.readModels.get('product', productId)).toMatchObject({
      quantity: 55,
      name: 'Tower One B',
      removed: true,
    });
    expect(await core.readModels.get('user', 'c'.repeat(32))).toMatchObject({
      role: 'customer',
      phone: '0171',
      version: 4,
    });
  });

  it('S1 LOG3 a closed account leaves a document that names nobody', async () => {
    await (await projectorOf()).project(stored);
    const document = await core.readModels.get('user', closedUser);
    expect(document).toMatchObject({ closed: true, role: 'customer', version: 4 });
    for (const text of ['karim', 'Karim', 'Sylhet', 'u2']) expect(JSON.stringify(document)).not.toContain(text);
  });

  it('PRJ1 events twice, late or out of order lead to the same bytes as once and in order', async () => {
    await (await projectorOf()).project(stored);
    const expected = await documents();
    for (let seed = 1; seed <= 40; seed += 1) {
      await core.readModels.clear();
      const projector = await projectorOf();
      const arriving = shuffled([...stored, ...stored], seed);
      const size = 1 + (seed % 7);
      for (let from = 0; from < arriving.length; from += size)
        await projector.project(arriving.slice(from, from + size));
      expect(await documents(), `seed ${seed}`).toEqual(expected);
    }
  });

  it('PRJ1 a gap is filled from the log', async () => {
    const last = stored.filter((event) => event.subject === orderStream).slice(-1);
    await (await projectorOf()).project(last);
    expect(await core.readModels.get('order', orderIdOf(1))).toMatchObject({
      version: 6,
      status: 'shipped',
      transactionId: 'pi_1',
    });
  });

  it('PRJ3 a rebuild from zero gives the same bytes as projectors that run policies, and so open every event', async () => {
    const projector = await projectorOf({ follow: async () => new Set() });
    for (const event of stored) await projector.project([event]);
    const before = await documents();
    expect(await rebuildReadModels({ ...core, projector: await projectorOf() })).toBe(stored.length);
    expect(await documents()).toEqual(before);
  });

  it('T5 PRJ3 a rebuild throws away what was there, also what no stream stands behind', async () => {
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

  it('PRJ3 a rebuild that is cut leaves the documents as they were', async () => {
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

  /** Opening the events of one stream fails while `yes` is true. */
  function poison() {
    const poisoned = { yes: true };
    const openAll: typeof core.sealing.openAll = async (events) => {
      if (poisoned.yes && events.some((event) => event.subject === orderStream)) throw new Error('poison');
      return core.sealing.openAll(events);
    };
    return { poisoned, sealing: { ...core.sealing, openAll } };
  }

  it('E19 PRJ3 PRJ4 a rebuild names the streams that cannot be projected, however long ago each of them failed', async () => {
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

  it('E19 PRJ4 a message about many stopped streams names twenty, and counts the others', () => {
    const names = Array.from({ length: 22 }, (_, n) => `order-${n} (poison)`);
    const { message } = new IncompleteReadModels(names);
    expect(message).toContain('order-19 (poison); and 2 more');
    expect(message).not.toContain('order-20');
  });

  it('T25 PRJ4 a stopped stream is shown since its first failure, with its last try, until it is projected', async () => {
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

  it('PRJ4 a poison event stops its stream alone, until the log can be read again', async () => {
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

  it('PRJ5 a late event brings back neither a removed product nor a cancelled order', async () => {
    const projector = await projectorOf();
    await projector.project(stored);
    await projector.project(stored.filter((event) => event.type === 'ProductAdded' || event.type === 'OrderPlaced'));
    const { items } = await core.readModels.listProducts({ limit: 10, sort: 'oldest' });
    expect(items).toEqual([]);
    const orders = await core.readModels.listOrders({ limit: 10, sort: 'oldest' });
    expect(orders.items.map((order) => order.id)).toEqual([orderIdOf(1), orderIdOf(3)]);
  });

  it('E2 PRJ6 a first event that comes after a removal pushes the removal, not the product', async () => {
    await (await projectorOf()).project(stored);
    pushed.length = 0;
    // Another process, or this one after a restart: it remembers nothing.
    const projector = await projectorOf();
    for (const { type, ...event } of stored) {
      if (event.streamversion === 1) await projector.project([{ type, ...event }]);
    }
    const versions = (await documents()).map((document) => JSON.parse(document).version);
    expect(pushed.map(({ push }) => push.version)).toEqual(versions);
    expect(pushed.find(({ push }) => push.kind === 'product')).toMatchObject({ push: { id: productId, view: null } });
  });

  it('E2 PRJ6 what another process saved in the meantime is pushed instead of what is older', async () => {
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

  it('T6 PRJ6 saves, then pushes, and pushes nothing that is not saved', async () => {
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

  it('LIVE1 pushes the whole view with its version, and pushes a redelivered event again', async () => {
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

  it('LIVE1 a cancelled order, a removed product and a closed account are pushed as gone', async () => {
    await (await projectorOf()).project(stored);
    const gone = pushed.filter(({ push }) => push.view === null).map(({ push }) => [push.kind, push.id, push.version]);
    expect(gone).toEqual([
      ['product', productId, 7],
      ['order', orderIdOf(2), 6],
      ['user', closedUser, 4],
    ]);
  });

  it('LIVE6 what changes the stock alone may wait for its successor, and nothing else', async () => {
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

  it('LIVE3 a user is pushed to that user and to admins, a product to everyone', async () => {
    await (await projectorOf()).project(stored);
    const audiences = new Map(pushed.map(({ push, audiences }) => [`${push.kind}-${push.id}`, audiences]));
    expect(audiences.get(`user-${closedUser}`)).toEqual([`user:${closedUser}`, 'admins']);
    expect(audiences.get(`product-${productId}`)).toEqual(['everyone']);
  });

  it('LIVE3 views carry no internal field', async () => {
    await (await projectorOf()).project(stored);
    const text = JSON.stringify(pushed.map(({ push }) => push.view));
    for (const field of ['customer', 'owes', 'uid', 'removed', 'author', 'createdAt'])
      expect(text).not.toContain(`"${field}":`);
  });

  it('opens the events of all streams side by side, since each may have to ask for another key', async () => {
    let [opening, release] = [0, () => {}];
    const allOpen = new Promise<void>((resolve) => {
      release = resolve;
    });
    const openAll = async (events: readonly StoredEvent[]) => {
      opening += 1;
      if (opening === streams.length) release();
      await allOpen;
      return core.sealing.openAll(events);
    };
    const follow = async () => new Set<string>();
    const projector = await projectorOf({ sealing: { ...core.sealing, openAll }, follow });
    expect(await projector.project(stored)).toEqual(new Set());
    expect(pushed.map(({ push }) => push.id)).toEqual(streams.map((stream) => parseStreamName(stream).id));
  });

  it('FEED2 a policy step that failed keeps its event undone', async () => {
    const failing = stored.find((event) => event.type === 'OrderCancelled');
    const followed: RecordedEvent[] = [];
    const projector = await projectorOf({
      follow: async (events) => {
        followed.push(...events);
        return new Set(failing ? [failing.id] : []);
      },
    });
    expect(await projector.project(stored)).toEqual(new Set([failing?.id]));
    expect(followed.map((event) => event.id).sort()).toEqual(stored.map((event) => event.id).sort());
  });

  it('READ1 a document is as new as the log, before the projector has come by', async () => {
    expect(await currentDocument(core, 'order', orderIdOf(1))).toMatchObject({ version: 6, status: 'shipped' });
    await (await projectorOf()).project(stored.filter((event) => event.streamversion <= 2));
    expect(await currentDocument(core, 'order', orderIdOf(1))).toMatchObject({ version: 6, status: 'shipped' });
    expect(await currentDocument(core, 'order', orderIdOf(99))).toBeNull();
  });
});
