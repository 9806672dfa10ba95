import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RecordedEvent, StoredEvent } from '../../contracts/events.ts';
import { parseStreamName } from '../../contracts/ids.ts';
import { orderList } from '../../shop/order/order-documents.ts';
import { productList } from '../../shop/product/product-documents.ts';
import { currentDocument } from './current-document.ts';
import { openSampleLog, orderStream, type SampleLog } from './sample-log.fixture.ts';
import { closedUser, orderIdOf, productId, STREAMS } from './sample-streams.fixture.ts';

const streams = [...STREAMS.keys()];

/** Shuffles the items with a seeded random generator (mulberry32), so that a failure can be reproduced. */
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

  it("the projector folds each stream into one document that has the stream's version", async () => {
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

  it("LOG3 a closed account's document contains no personal data", async () => {
    await (await projectorOf()).project(stored);
    const document = await core.readModels.get('user', closedUser);
    expect(document).toMatchObject({ closed: true, role: 'customer', version: 4 });
    for (const text of ['karim', 'Karim', 'Sylhet', 'u2']) expect(JSON.stringify(document)).not.toContain(text);
  });

  it('PRJ1 documents are byte-for-byte identical whether events arrive once and in order, or repeatedly and out of order', async () => {
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

  it('PRJ1 a gap in the delivered events is filled from the log', async () => {
    const last = stored.filter((event) => event.subject === orderStream).slice(-1);
    await (await projectorOf()).project(last);
    expect(await core.readModels.get('order', orderIdOf(1))).toMatchObject({
      version: 6,
      status: 'shipped',
      transactionId: 'pi_1',
    });
  });

  it("PRJ5 a late event doesn't bring back a removed product or a cancelled order", async () => {
    const projector = await projectorOf();
    await projector.project(stored);
    await projector.project(stored.filter((event) => event.type === 'ProductAdded' || event.type === 'OrderPlaced'));
    expect(await core.readModels.find(productList({ sort: 'oldest' }))).toEqual([]);
    const listed = await core.readModels.find(orderList({ sort: 'oldest' }));
    expect(listed.map((order) => order.id)).toEqual([orderIdOf(1), orderIdOf(3)]);
  });

  it("the projector decrypts the events of all streams in parallel, because each stream may need a different person's key", async () => {
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
    const runPolicies = async () => new Set<string>();
    const projector = await projectorOf({ sealing: { ...core.sealing, openAll }, runPolicies });
    expect(await projector.project(stored)).toEqual(new Set());
    expect(pushed.map(({ push }) => push.id)).toEqual(streams.map((stream) => parseStreamName(stream).id));
  });

  it('FEED2 project() returns the id of an event whose policy failed', async () => {
    const failing = stored.find((event) => event.type === 'OrderCancelled');
    const followed: RecordedEvent[] = [];
    const projector = await projectorOf({
      runPolicies: async (events) => {
        followed.push(...events);
        return new Set(failing ? [failing.id] : []);
      },
    });
    expect(await projector.project(stored)).toEqual(new Set([failing?.id]));
    expect(followed.map((event) => event.id).sort()).toEqual(stored.map((event) => event.id).sort());
  });

  it('READ1 currentDocument() returns a document that is up to date with the log, even if the projector has fallen behind', async () => {
    expect(await currentDocument(core, 'order', orderIdOf(1))).toMatchObject({ version: 6, status: 'shipped' });
    await (await projectorOf()).project(stored.filter((event) => event.streamversion <= 2));
    expect(await currentDocument(core, 'order', orderIdOf(1))).toMatchObject({ version: 6, status: 'shipped' });
    expect(await currentDocument(core, 'order', orderIdOf(99))).toBeNull();
  });
});
