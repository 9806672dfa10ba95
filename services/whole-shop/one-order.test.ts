import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { type EmbeddedCore, openEmbeddedCore } from '../embedded/embedded-core.ts';
import type { PushMessage } from '../engine/projector/broadcast.ts';
import { systemClock } from '../runtime/clock.ts';
import { orderDecider } from '../shop/order/decide-order.ts';
import type { OrderCommand } from '../shop/order/order.ts';
import { delivery, draft, orderId, customer as userId } from '../shop/order/order-events.fixture.ts';

/** Opens the stores, command handler and projector of an embedded shop, in a folder that the test removes. */
function openCore(): EmbeddedCore {
  const dataDir = mkdtempSync(join(tmpdir(), 'one-order-'));
  const core = openEmbeddedCore({ dataDir, clock: systemClock, logger: pino({ level: 'silent' }) });
  onTestFinished(async () => {
    await core.close();
    rmSync(dataDir, { recursive: true });
  });
  return core;
}

const metaOf = ({ type: cause }: OrderCommand) => {
  return { cause, actor: userId, correlationId: 'example', time: draft.placedAt };
};

const noPolicies = async () => new Set<string>();

it('PRJ1 LIVE1 LIVE3 an order that is placed and corrected is stored as two events, one document and one push', async () => {
  // Shown in ARCHITECTURE.md.
  const core = openCore();
  const send = (command: OrderCommand) => core.handler.execute(orderDecider, orderId, command, metaOf(command));
  const pushed = new Promise<PushMessage>((message) => core.broadcast.subscribe({ message, live() {} }));

  // Each command is decided from the state of the order's stream, and its events are appended to that stream.
  await send({ type: 'PlaceOrder', draft, userId, delivery });
  await send({ type: 'ChangeDelivery', changes: { address: 'Sylhet' } });
  const events = await core.sealing.openAll(await core.log.readStream(`order-${orderId}`, 0, 10));
  expect(events).toMatchObject([{ type: 'OrderPlaced' }, { type: 'DeliveryChanged', streamversion: 2 }]);

  // The projector folds the events into the order's document, saves the document, and pushes its view to two rooms.
  await core.startProjecting(noPolicies);
  const { push, audiences } = await pushed;
  expect(await core.readModels.get('order', orderId)).toMatchObject({ status: 'unpaid', address: 'Sylhet' });
  expect(push).toMatchObject({ kind: 'order', version: 2, view: { paid: false, address: 'Sylhet' } });
  expect(audiences).toEqual([`user:${userId}`, 'admins']);
});

it('ARCHITECTURE.md shows the test above as it runs', () => {
  const [architecture = '', source = ''] = ['../../ARCHITECTURE.md', './one-order.test.ts'].map((file) =>
    readFileSync(new URL(file, import.meta.url), 'utf8'),
  );
  const [, shown] = architecture.match(/```ts\n([\s\S]+?)```/) ?? [];
  const [, run = ''] = source.match(/ARCHITECTURE\.md\.\n([\s\S]+?)\}\);\n\n/) ?? [];
  expect(shown).toBe(run.replace(/^ {2}/gm, ''));
});
