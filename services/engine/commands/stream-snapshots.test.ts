import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RecordedEvent } from '../../contracts/events.ts';
import { type StreamName, streamName } from '../../contracts/ids.ts';
import { productDecider } from '../../shop/product/decide-product.ts';
import type { ProductCommand } from '../../shop/product/product.ts';
import { foldStream } from '../log/fold-stream.ts';
import type { Snapshot, Snapshots } from '../log/snapshots.ts';
import { metaOf, openEmbeddedLog } from './embedded-log.fixture.ts';

const details = { name: 'Tower', img1: '', img2: '', processor: '', gpu: '', rated: '', description: '' };
const add: ProductCommand = {
  type: 'AddProduct',
  details: { ...details, price: 500_000, minorder: 1 },
  quantity: 1_000_000,
};
const idOf = (number: number) => number.toString(16).padStart(32, '0');
const productId = idOf(1);
const stream = streamName('product', productId);

function reduce(number: number, quantity = 1, address = 'Dhaka'): ProductCommand {
  const delivery = { name: 'Rumi', email: 'rumi@micro-center.test', phone: '0170', address };
  const times = { placedAt: '2026-01-01T00:00:00.000Z', expiresAt: '2026-01-02T00:00:00.000Z' };
  const order = { orderId: idOf(number), number: `MC-${1001 + number}`, productId, quantity, userId: idOf(7) };
  return { type: 'ReduceStock', ...order, delivery, ...times };
}

let embedded: ReturnType<typeof openEmbeddedLog>;
let kept: Map<StreamName, Snapshot>;
let store: Snapshots;
let errors: unknown[];
beforeEach(() => {
  embedded = openEmbeddedLog();
  errors = [];
  kept = new Map();
  store = {
    find: async (name) => kept.get(name) ?? null,
    // The snapshot is stored as JSON, as in every adapter.
    keep: async (snapshot) => void kept.set(snapshot.stream, JSON.parse(JSON.stringify(snapshot)) as Snapshot),
    clear: async () => kept.clear(),
  };
});
afterEach(() => embedded.close());

/** Returns a handler as it would be after a restart: it uses the same log and snapshots as other handlers, but its cache is empty. */
function started(change: Parameters<typeof embedded.handler>[0] = {}) {
  return embedded.handler({ snapshots: { store, onError: (error) => errors.push(error), every: 10 }, ...change });
}

/** Folds a product's stream from its first event. */
function folded(id = productId) {
  const from = { state: productDecider.initialState, version: 0 };
  return foldStream(embedded, streamName('product', id), from, (state, event: RecordedEvent) =>
    productDecider.evolve(state, event),
  );
}

async function sell(count: number, from = 100): Promise<void> {
  const handler = started();
  await handler.execute(productDecider, productId, add, metaOf('add'));
  for (let number = from; number < from + count; number += 1) {
    await handler.execute(productDecider, productId, reduce(number), metaOf(`place:${number}`));
  }
  await new Promise(setImmediate);
}

/** Corrupts the saved snapshot by setting a wrong stock, and then applies `change` to it. */
function spoil(change: Partial<Snapshot>): void {
  const snapshot = kept.get(stream);
  if (!snapshot) throw new Error('No snapshot was kept.');
  kept.set(stream, { ...snapshot, state: { ...(snapshot.state as object), stock: 1 }, ...change });
}

const commandOf = fc.oneof(
  fc
    .integer({ min: 1, max: 40 })
    .map((quantity): ProductCommand => ({ type: 'ReturnStock', orderId: idOf(9), quantity })),
  fc.integer({ min: 1, max: 40 }).map((quantity) => reduce(11, quantity)),
  fc.integer({ min: 1, max: 9 }).map((price): ProductCommand => ({ type: 'ChangeProduct', changes: { price } })),
  fc.constant<ProductCommand>({ type: 'RemoveProduct' }),
);

describe('stream snapshots', () => {
  it('LOG7 for any sequence of commands, a state restored from a snapshot equals the fold of the whole stream', async () => {
    let product = 0x1000;
    await fc.assert(
      fc.asyncProperty(
        fc.array(commandOf, { maxLength: 40 }),
        fc.integer({ min: 1, max: 7 }),
        async (commands, every) => {
          product += 1;
          const id = idOf(product);
          const start = () => started({ snapshots: { store, onError: (error) => errors.push(error), every } });
          await start().execute(productDecider, id, add, metaOf('add'));
          for (const [index, command] of commands.entries()) {
            await start().execute(productDecider, id, command, metaOf(`c:${index}`));
            await new Promise(setImmediate);
          }
          expect(await start().load(productDecider, id)).toEqual(await folded(id));
        },
      ),
      { numRuns: 25 },
    );
    expect(errors).toEqual([]);
  });

  it('CMD7 a load succeeds even if the previous load could not read the log', async () => {
    await sell(30);
    let failures = 1;
    const log: typeof embedded.log = {
      ...embedded.log,
      async readStream(...args) {
        failures -= 1;
        if (failures >= 0) throw new Error('the store is away');
        return embedded.log.readStream(...args);
      },
    };
    const handler = started({ log });
    await expect(handler.load(productDecider, productId)).rejects.toThrow('the store is away');
    expect(await handler.load(productDecider, productId)).toEqual(await folded());
  });

  it('CMD7 a failed read rejects only the command that needed it, and the commands waiting behind that command succeed', async () => {
    await sell(30);
    let fail = () => {};
    const failing = new Promise<never>((_, reject) => {
      fail = () => reject(new Error('the store is away'));
    });
    let reads = 0;
    const log: typeof embedded.log = {
      ...embedded.log,
      readStream(...args) {
        reads += 1;
        return reads === 1 ? failing : embedded.log.readStream(...args);
      },
    };
    const handler = started({ log });
    const first = handler.execute(productDecider, productId, reduce(1), metaOf('place:1'));
    await expect.poll(() => reads).toBe(1);
    const second = handler.execute(productDecider, productId, reduce(2), metaOf('place:2'));
    fail();
    await expect(first).rejects.toThrow('the store is away');
    expect(await second).toMatchObject({ kind: 'done', version: 32 });
  });

  it('LOG7 after a restart, loading a stream reads only the events since its last snapshot', async () => {
    await sell(30);
    let read = 0;
    const log: typeof embedded.log = {
      ...embedded.log,
      async readStream(...args) {
        const events = await embedded.log.readStream(...args);
        read += events.length;
        return events;
      },
    };
    await started({ log }).load(productDecider, productId);
    expect(read).toBeLessThan(15);
  });

  it.each<[string, Partial<Snapshot>]>([
    ['with another fold version', { fold: 99 }],
    ['whose state is not a product', { state: { status: 'listed', stock: 'much' } }],
    ['with a version beyond the head of the log', { version: 5_000 }],
    ['whose last event is not the one in the log', { event: 'of-another-log' }],
  ])('LOG7 a snapshot %s is ignored', async (_title, change) => {
    await sell(30);
    spoil(change);
    expect(await started().load(productDecider, productId)).toEqual(await folded());
  });

  it('LOG7 errors from the snapshot store are reported, and commands still succeed', async () => {
    const fails = async () => {
      throw new Error('no snapshots today');
    };
    store = { find: fails, keep: fails, clear: fails };
    await sell(30);
    expect(await started().load(productDecider, productId)).toEqual(await folded());
    expect(errors.length).toBeGreaterThan(1);
  });

  it('CMD3 a command handled before the snapshot is recognised when repeated, and a different one with the same cause is refused', async () => {
    await sell(30);
    const handler = started();
    const again = (command: ProductCommand) => handler.execute(productDecider, productId, command, metaOf('place:100'));
    const same = await again(reduce(100));
    expect(same).toMatchObject({ kind: 'done', events: [], prior: [{ data: { personal: { address: 'Dhaka' } } }] });
    expect(await again(reduce(100, 1, 'Chattogram'))).toEqual({
      kind: 'refused',
      refusal: { code: 'idempotency_key_reused' },
    });
    expect(await embedded.log.head(stream)).toBe(31);
  });

  it("LOG7 a product's stream is folded without decrypting personal data", async () => {
    await sell(30);
    kept.clear();
    const openAll = async () => {
      throw new Error('personal data was opened');
    };
    const handler = started({ sealing: { ...embedded.sealing, openAll } });
    expect((await handler.load(productDecider, productId)).version).toBe(31);
  });

  it('a long fold yields to the event loop every 100 events, and simultaneous loads share one fold', async () => {
    const handler = embedded.handler();
    await handler.execute(productDecider, productId, add, metaOf('add'));
    const sold = Array.from({ length: 3_000 }, (_, number) =>
      handler.execute(productDecider, productId, reduce(number), metaOf(`place:${number}`)),
    );
    await Promise.all(sold);
    kept.clear();
    let [opened, turns, most] = [0, 0, 0];
    const sealing = {
      ...embedded.sealing,
      openBare(event: Parameters<typeof embedded.sealing.openBare>[0]) {
        opened += 1;
        return embedded.sealing.openBare(event);
      },
    };
    let loading = true;
    let before = 0;
    const turn = () => {
      turns += 1;
      most = Math.max(most, opened - before);
      before = opened;
      if (loading) setImmediate(turn);
    };
    setImmediate(turn);
    const cold = started({ sealing });
    await Promise.all(Array.from({ length: 20 }, () => cold.load(productDecider, productId)));
    loading = false;
    expect(opened).toBeLessThan(3_100);
    expect(most).toBeLessThanOrEqual(200);
    expect(turns).toBeGreaterThan(20);
  });
});
