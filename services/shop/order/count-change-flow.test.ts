import { expect, it } from 'vitest';
import type { RecordedEvent, StoredEvent } from '../../contracts/events.ts';
import type { PersonExport } from '../../contracts/people/person-export.ts';
import type { UserDocument } from '../../contracts/people/user-document.ts';
import type { ApiDependencies } from '../../http/dependencies.ts';
import { stockedShop, testShops } from '../../http/test-shop.fixture.ts';
import { personRoutes } from '../people/person-routes.ts';
import { orderTimeline } from './order-timeline-flow.ts';

const open = testShops();

it('CMD8 a customer who changes delivery details, tracking links or their profile too often gets a 429 with Retry-After', async () => {
  const shop = await open();
  const { admin, shopper, place } = await stockedShop(shop);
  const orderId = await place();
  const [profile, order] = [`/users/${shopper.email}`, `/orders/${orderId}`];
  const changes = (n: number) => [
    () => shopper.call('PUT', `${order}/delivery`, { address: `House ${n}` }),
    () => shopper.call('POST', `${order}/tracking`),
    () => shopper.call('PUT', profile, { address: `Road ${n}` }),
    () => shopper.call('DELETE', `${order}/tracking`),
  ];
  for (let n = 0; n < 5; n += 1) for (const change of changes(n)) expect(await change()).toMatchObject({ status: 200 });
  const before = await shop.eventCount();
  for (const change of changes(5).slice(0, 3)) {
    const refused = await change();
    expect(refused).toMatchObject({ status: 429, body: { code: 'changes_too_fast' } });
    expect(refused.headers.get('retry-after')).toBe('30');
  }
  // These requests change nothing, so they aren't refused.
  const same = [
    await shopper.call('PUT', `${order}/delivery`, { address: 'House 4' }),
    await shopper.call('DELETE', `${order}/tracking`),
    await shopper.call('PUT', profile, { email: shopper.email }),
  ];
  expect(same.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(await shop.eventCount()).toBe(before);
  // The limit affects neither other users nor other kinds of requests.
  expect((await admin.call('PUT', `${order}/delivery`, { address: 'By the admin' })).status).toBe(200);
  await place();
  shop.advance(30_000);
  expect((await shopper.call('PUT', profile, { address: 'At last' })).status).toBe(200);
  expect((await shopper.call('PUT', profile, { address: 'Once more' })).status).toBe(429);
});

/**
 * The length of a long stream, which is more than the maximum number of arguments of a function call. Reading each
 * event once takes a second in total. Copying all earlier events for each event would take minutes.
 */
const LONG = 130_000;

/** Returns a shop in which each stream of the given kind consists of `LONG` changes. */
function ofLongStreams(shop: ApiDependencies, kind: 'order' | 'user'): ApiDependencies {
  const changed = (subject: string, version: number) =>
    ({
      id: `${version}`,
      source: '/test',
      type: kind === 'order' ? 'DeliveryChanged' : 'ProfileChanged',
      subject,
      time: '2026-02-03T04:05:06.000Z',
      streamversion: version,
      schemaversion: 1,
      cause: `c${version}`,
      correlationid: 'c',
      actor: 'a'.repeat(32),
      data: { person: 'a'.repeat(32), personal: {} },
    }) as unknown as StoredEvent;
  const opened = (event: StoredEvent) => event as unknown as RecordedEvent;
  return {
    ...shop,
    log: {
      ...shop.log,
      readStream: async (stream, after, limit) => {
        const count = stream.startsWith(kind) ? Math.min(limit, LONG - after) : 0;
        return Array.from({ length: count }, (_, index) => changed(stream, after + index + 1));
      },
    },
    sealing: { ...shop.sealing, openBare: opened, openAll: async (events) => events.map(opened) },
  };
}

it("CMD8 ERASE1 building an order's timeline or a personal data export reads each event only once, even after 130,000 changes", async () => {
  const { dependencies, signIn, userId, feed } = await open();
  await signIn('rumi@shop.test');
  await feed.caughtUp();
  expect(await orderTimeline(ofLongStreams(dependencies, 'order'), 'b'.repeat(32))).toHaveLength(LONG);
  const document = (await dependencies.readModels.get('user', userId('rumi@shop.test'))) as UserDocument;
  const exporting = personRoutes.find(({ path }) => path === '/users/:email/export');
  const answer = await exporting?.serve(ofLongStreams(dependencies, 'user'), { document } as never);
  expect((answer?.body as PersonExport | undefined)?.events).toHaveLength(LONG);
}, 60_000);
