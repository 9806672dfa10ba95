import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openEmbeddedCore } from '../embedded/embedded-core.ts';
import { freshId, sampleEvent } from '../engine/log/sample-events.fixture.ts';
import { STREAMS } from '../engine/projector/sample-streams.fixture.ts';
import { createLogger } from '../runtime/log.ts';
import { orderDecider } from '../shop/order/decide-order.ts';
import { productDecider } from '../shop/product/decide-product.ts';
import { TOWER_ONE } from '../shop/product/tower-one.fixture.ts';
import { type DomainEvent, eventDataSchemas, type StoredEvent } from './events.ts';
import { streamName } from './ids.ts';
import { repair } from './repair.ts';

const { price: _, ...details } = TOWER_ONE;

describe('repair', () => {
  it('E1 PRJ2 repair() leaves every valid event unchanged', () => {
    for (const event of [...STREAMS.values()].flat()) expect(repair(event)).toBeNull();
    for (const type of Object.keys(eventDataSchemas)) {
      for (const data of [{}, { changes: null }, { changes: {} }, { draft: null }]) {
        expect(repair({ type, data })).toBeNull();
      }
    }
  });
});

describe('a log in which a product was once priced at 0', () => {
  const productId = freshId();
  const orderId = freshId();
  const product = streamName('product', productId);
  const order = streamName('order', orderId);
  const draft = {
    orderId,
    number: 'MC-1001',
    productId,
    product: 'Tower One',
    quantity: 2,
    price: 0,
    total: 0,
    placedAt: '2026-01-01T00:00:00.000Z',
    expiresAt: '2026-01-02T00:00:00.000Z',
  };
  const placement = {
    draft,
    person: 'c'.repeat(32),
    personal: { name: 'Rahim', email: 'rahim@shop.test', phone: '0170000', address: 'Dhaka' },
  };
  let folder: string;
  let lines: string[];
  let core: ReturnType<typeof openEmbeddedCore>;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'repair-'));
    lines = [];
    const logger = createLogger('warn', { write: (line: string) => void lines.push(line) });
    core = openEmbeddedCore({ dataDir: folder, clock: () => 1_000, logger });
  });
  afterEach(async () => {
    await core.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Appends events without validation, as an older version of the shop did. */
  async function append(stream: typeof product, events: readonly DomainEvent[]): Promise<StoredEvent[]> {
    const recorded = events.map((event, index) => ({ ...sampleEvent(stream, index + 1), ...event }));
    const stored = await core.sealing.sealAll(recorded);
    await core.log.append({ id: freshId(), stream, expectedVersion: 0, events: stored });
    return stored;
  }

  it('E1 LOG4 a stored price change to 0 is ignored with a warning that names the event, so the product keeps its earlier price', async () => {
    await append(product, [
      { type: 'ProductAdded', data: { ...details, price: 500_000, quantity: 5 } },
      { type: 'ProductChanged', data: { changes: { name: 'Tower Two', price: 0 } } },
      { type: 'StockReduced', data: placement },
      { type: 'StockAdjusted', data: { by: 4 } },
    ]);
    await append(order, [{ type: 'OrderPlaced', data: placement }]);
    const { consumer, projector } = await core.startProjecting(async () => new Set());
    await consumer.caughtUp();
    expect(projector.stoppedStreams()).toEqual([]);
    const projected = await core.readModels.get('product', productId);
    expect(projected).toMatchObject({ name: 'Tower Two', price: 500_000, quantity: 7, version: 4 });
    expect(await core.readModels.get('order', orderId)).toMatchObject({ status: 'unpaid', price: 1, total: 0 });
    expect(await core.handler.load(productDecider, productId)).toMatchObject({
      version: 4,
      state: { details: { name: 'Tower Two', price: 500_000 }, stock: 7 },
    });
    expect((await core.handler.load(orderDecider, orderId)).state).toMatchObject({
      status: 'unpaid',
      draft: { total: 0 },
    });
    await consumer.stop();
    expect(await core.rebuild()).toBe(5);
    expect(await core.readModels.get('product', productId)).toEqual(projected);

    const warnings = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(warnings).toHaveLength(3);
    expect(warnings[0]).toMatchObject({
      level: 40,
      stream: product,
      version: 2,
      type: 'ProductChanged',
      msg: expect.stringContaining('its price of 0 is ignored'),
    });
  });

  it('E1 LOG4 a product that was added with a price of 0 is treated as having the lowest valid price', async () => {
    await append(product, [{ type: 'ProductAdded', data: { ...details, price: 0, quantity: 5 } }]);
    expect((await core.handler.load(productDecider, productId)).state).toMatchObject({
      details: { price: 1 },
      stock: 5,
    });
    expect(await core.rebuild()).toBe(1);
    expect(lines).toHaveLength(1);
  });
});
