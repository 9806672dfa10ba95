import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLogger } from '../../runtime/log.ts';
import { orderDecider } from '../../shop/order/decide-order.ts';
import type { OrderCommand } from '../../shop/order/order.ts';
import { userDecider } from '../../shop/people/decide-user.ts';
import { productDecider } from '../../shop/product/decide-product.ts';
import type { ProductCommand } from '../../shop/product/product.ts';
import { createSealing } from '../log/sealing.ts';
import { interceptAppends, metaOf, openEmbeddedLog } from './embedded-log.fixture.ts';
import { add, details, orderIdOf, productId, reduce, stream } from './product-commands.fixture.ts';

const silent = createLogger('silent');
let embedded: ReturnType<typeof openEmbeddedLog>;
beforeEach(() => {
  embedded = openEmbeddedLog();
});
afterEach(() => embedded.close());
describe('commands in batches', () => {
  it('CMD4 ORD10 each command in a batch is decided based on the version, state and events that the commands before it produced', async () => {
    const orderId = orderIdOf(1);
    const first = reduce(1);
    if (first.type !== 'ReduceStock') throw new Error('No order.');
    const { userId, delivery, placedAt, expiresAt } = first;
    const draft = { orderId, number: 'MC-1001', productId, product: 'Tower One', quantity: 1, price: 100, total: 1 };
    const place = { type: 'PlaceOrder', draft: { ...draft, placedAt, expiresAt }, userId, delivery } as const;
    const { log, commits } = interceptAppends(embedded.log, () => {});
    const handler = embedded.handler({ log });
    const execute = (command: OrderCommand, cause: string = command.type) =>
      handler.execute(orderDecider, orderId, command, metaOf(cause));
    await execute(place);
    const now = placedAt;
    const [started, paid, moved, stale, repeated, shipped] = [
      execute({ type: 'StartPayment', intent: 'pi_1', attempt: 1, amount: 100 }),
      execute({ type: 'SettlePayment', intent: 'pi_1', amount: 100, currency: 'bdt' }),
      execute({ type: 'ChangeDelivery', changes: { address: 'Sylhet' } }),
      execute({ type: 'ShipOrder', now, seen: 3 }, 'stale'),
      execute({ type: 'SettlePayment', intent: 'pi_1', amount: 100, currency: 'bdt' }),
      execute({ type: 'ShipOrder', now, seen: 4 }, 'ship'),
    ];
    expect(await stale).toEqual({ kind: 'refused', refusal: { code: 'order_changed', orderId, version: 4 } });
    for (const done of [started, paid, moved]) expect(await done).toMatchObject({ kind: 'done' });
    expect(await repeated).toMatchObject({ kind: 'done', events: [], prior: [{ type: 'PaymentRecorded' }] });
    expect(await shipped).toMatchObject({ kind: 'done', version: 5 });
    expect(commits.map(({ events }) => events.map(({ type }) => type))).toEqual([
      ['OrderPlaced'],
      ['PaymentStarted', 'PaymentRecorded', 'DeliveryChanged', 'OrderShipped'],
    ]);
  });

  it('LOG4 a command with an invalid event is rejected and appends nothing, but the rest of its batch succeeds', async () => {
    const { log, commits } = interceptAppends(embedded.log, () => {});
    const handler = embedded.handler({ log });
    await handler.execute(productDecider, productId, add(10), metaOf('add'));
    const free: ProductCommand = { type: 'ChangeProduct', changes: { name: 'Free', price: 0 } };
    const [before, refused, after] = await Promise.allSettled([
      handler.execute(productDecider, productId, reduce(1), metaOf('place:1')),
      handler.execute(productDecider, productId, free, metaOf('change')),
      handler.execute(productDecider, productId, reduce(2), metaOf('place:2')),
    ]);
    expect([before?.status, after?.status]).toEqual(['fulfilled', 'fulfilled']);
    expect(refused).toMatchObject({
      status: 'rejected',
      reason: { message: expect.stringContaining('ProductChanged') },
    });
    expect(commits.map(({ events }) => events.map(({ type }) => type))).toEqual([
      ['ProductAdded'],
      ['StockReduced', 'StockReduced'],
    ]);
    expect(await embedded.handler().load(productDecider, productId)).toMatchObject({
      version: 3,
      state: { details: { name: 'Tower One', price: 500_000 }, stock: 8 },
    });
    expect((await handler.load(productDecider, productId)).state).toMatchObject({ details, stock: 8 });
  });

  it('LOG4 a command with an invalid time or an empty cause is rejected and appends nothing', async () => {
    const handler = embedded.handler();
    await expect(handler.execute(productDecider, productId, add(10), metaOf('add', 'yesterday'))).rejects.toThrow(
      'ProductAdded',
    );
    await expect(handler.execute(productDecider, productId, add(10), metaOf(''))).rejects.toThrow('ProductAdded');
    expect(await embedded.log.head(stream)).toBe(0);
  });

  it("LOG5 if one buyer's encryption key is missing, only that buyer's order fails", async () => {
    const { log, vault } = embedded;
    const handler = embedded.handler();
    const lost = 'e'.repeat(32);
    const register = {
      type: 'RegisterUser',
      userId: lost,
      uid: 'u',
      email: 'e@shop.test',
      name: '',
      grantAdmin: false,
    } as const;
    await handler.execute(userDecider, lost, register, metaOf('sign-in'));
    await handler.execute(productDecider, productId, add(100), metaOf('add'));
    const keys = { ...vault, find: async (person: string) => (person === lost ? undefined : vault.find(person)) };
    const older = embedded.handler({ sealing: createSealing({ vault: keys, log, logger: silent }) });
    const buyers = Array.from({ length: 9 }, (_, n) => {
      const command = n === 4 ? { ...reduce(n), userId: lost } : reduce(n);
      return older.execute(productDecider, productId, command as ProductCommand, metaOf(`place:${n}`));
    });
    const outcomes = await Promise.allSettled(buyers);
    expect(outcomes.map(({ status }) => status === 'fulfilled')).toEqual(buyers.map((_, n) => n !== 4));
    expect(outcomes[4]).toMatchObject({ reason: { name: 'KeyMissing' } });
    expect(await older.load(productDecider, productId)).toMatchObject({ version: 9, state: { stock: 92 } });
  });

  it('CMD4 commands waiting for the same stream are decided in batches, with one append per batch', async () => {
    const { log, commits } = interceptAppends(embedded.log, () => {});
    const handler = embedded.handler({ log });
    await handler.execute(productDecider, productId, add(1000), metaOf('add'));
    const buyers = Array.from({ length: 500 }, (_, n) =>
      handler.execute(productDecider, productId, reduce(n), metaOf(`place:${n}`)),
    );
    const outcomes = await Promise.all(buyers);
    expect(outcomes.every((outcome) => outcome.kind === 'done')).toBe(true);
    expect(await log.head(stream)).toBe(501);
    expect(commits.length).toBeLessThanOrEqual(6);
    expect(handler.pending()).toBe(0);
  });

  it('ORD2 simultaneous orders for a product never sell more than its stock', async () => {
    const handlers = [embedded.handler(), embedded.handler(), embedded.handler()];
    await handlers[0]?.execute(productDecider, productId, add(100), metaOf('add'));
    const outcomes = await Promise.all(
      Array.from({ length: 300 }, (_, n) =>
        handlers[n % 3]?.execute(productDecider, productId, reduce(n), metaOf(`place:${n}`)),
      ),
    );
    expect(outcomes.filter((outcome) => outcome?.kind === 'done')).toHaveLength(100);
    const sold = (await embedded.eventsOf(stream)).filter((event) => event.type === 'StockReduced');
    expect(sold).toHaveLength(100);
  });

  it('CMD4 a command of an unknown type fails, and the rest of its batch succeeds', async () => {
    const handler = embedded.handler();
    await handler.execute(productDecider, productId, add(10), metaOf('add'));
    const unknown = { type: 'Unheard' } as unknown as ProductCommand;
    const outcomes = await Promise.allSettled([
      handler.execute(productDecider, productId, reduce(1), metaOf('place:1')),
      handler.execute(productDecider, productId, unknown, metaOf('unheard')),
      handler.execute(productDecider, productId, reduce(2), metaOf('place:2')),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await embedded.log.head(stream)).toBe(3);
  });

  it('LOG2 CMD4 a batch that is too large for one commit is split, and all of its commands succeed', async () => {
    const handler = embedded.handler();
    await handler.execute(productDecider, productId, add(10), metaOf('add'));
    const outcomes = await Promise.all(
      Array.from({ length: 100 }, (_, n) => {
        const changes = { description: `${n} ${'ক'.repeat(4000)}` };
        return handler.execute(productDecider, productId, { type: 'ChangeProduct', changes }, metaOf(`change:${n}`));
      }),
    );
    expect(outcomes.every((outcome) => outcome.kind === 'done')).toBe(true);
    expect(await embedded.log.head(stream)).toBe(101);
    const last = (await embedded.eventsOf(stream)).at(-1);
    expect(last?.type === 'ProductChanged' && last.data.changes.description?.startsWith('99 ')).toBe(true);
  });
});
