import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { streamName } from '../../contracts/ids.ts';
import { createLogger } from '../../runtime/log.ts';
import { orderDecider } from '../../shop/order/decide-order.ts';
import type { OrderCommand } from '../../shop/order/order.ts';
import { productDecider } from '../../shop/product/decide-product.ts';
import type { ProductCommand } from '../../shop/product/product.ts';
import { TOWER_ONE } from '../../shop/product/tower-one.fixture.ts';
import { userDecider } from '../../shop/user/decide-user.ts';
import { AppendOutcomeUnknown } from '../log/event-log.ts';
import { createSealing } from '../log/sealing.ts';
import { Overloaded } from './command-handler.ts';
import { interceptAppends, metaOf, openEmbeddedLog } from './embedded-log.fixture.ts';

const silent = createLogger('silent');
const productId = 'b'.repeat(32);
const stream = streamName('product', productId);
const details = TOWER_ONE;
const add = (quantity: number): ProductCommand => ({ type: 'AddProduct', details, quantity });
const orderIdOf = (number: number) => number.toString(16).padStart(32, '0');
const reduce = (number: number, quantity = 1): ProductCommand => ({
  type: 'ReduceStock',
  orderId: orderIdOf(number),
  number: `MC-${1001 + number}`,
  productId,
  quantity,
  customer: 'c'.repeat(32),
  delivery: { name: 'Rahim', email: 'rahim@shop.test', phone: '0170000', address: 'Dhaka' },
  placedAt: '2026-01-01T00:00:00.000Z',
  expiresAt: '2026-01-02T00:00:00.000Z',
});

let embedded: ReturnType<typeof openEmbeddedLog>;
beforeEach(() => {
  embedded = openEmbeddedLog();
});
afterEach(() => embedded.close());

describe('command handler', () => {
  it('CMD1 answers only after the append is durable', async () => {
    let appended = false;
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { log } = interceptAppends(embedded.log, () => held);
    const command = embedded.handler({ log }).execute(productDecider, productId, add(5), metaOf('add'));
    command.then(() => {
      appended = true;
    });
    await new Promise(setImmediate);
    expect(appended).toBe(false);
    release();
    expect(await command).toMatchObject({ kind: 'done', version: 1 });
    expect(await embedded.log.head(stream)).toBe(1);
  });

  it('T22 CMD4 ORD10 a command of a batch sees the version, state and events that those before it in the batch have made', async () => {
    const orderId = orderIdOf(1);
    const first = reduce(1);
    if (first.type !== 'ReduceStock') throw new Error('No order.');
    const { customer, delivery, placedAt, expiresAt } = first;
    const draft = { orderId, number: 'MC-1001', productId, product: 'Tower One', quantity: 1, price: 100, total: 1 };
    const place = { type: 'PlaceOrder', draft: { ...draft, placedAt, expiresAt }, customer, delivery } as const;
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

  it('CMD1 is idle once all commands that run have ended', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { log } = interceptAppends(embedded.log, (commit) => (commit.stream === stream ? held : undefined));
    const handler = embedded.handler({ log });
    await handler.idle();
    const ended: string[] = [];
    const slow = handler.execute(productDecider, productId, add(5), metaOf('add')).then(() => ended.push('slow'));
    const quick = handler.execute(productDecider, 'd'.repeat(32), add(5), metaOf('add'));
    const idle = handler.idle().then(() => ended.push('idle'));
    await quick;
    await new Promise(setImmediate);
    expect({ ended, pending: handler.pending() }).toEqual({ ended: [], pending: 1 });
    release();
    await Promise.all([slow, idle]);
    expect(handler.pending()).toBe(0);
    await handler.idle();
  });

  it('E1 LOG4 a command whose events do not pass their schema fails alone and appends nothing', async () => {
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

  it('E1 LOG4 an event whose attributes could not be read again is refused as well', async () => {
    const handler = embedded.handler();
    await expect(handler.execute(productDecider, productId, add(10), metaOf('add', 'yesterday'))).rejects.toThrow(
      'ProductAdded',
    );
    await expect(handler.execute(productDecider, productId, add(10), metaOf(''))).rejects.toThrow('ProductAdded');
    expect(await embedded.log.head(stream)).toBe(0);
  });

  it('E5 LOG5 a buyer whose key is missing fails alone, not with those that wait beside', async () => {
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
      const command = n === 4 ? { ...reduce(n), customer: lost } : reduce(n);
      return older.execute(productDecider, productId, command as ProductCommand, metaOf(`place:${n}`));
    });
    const outcomes = await Promise.allSettled(buyers);
    expect(outcomes.map(({ status }) => status === 'fulfilled')).toEqual(buyers.map((_, n) => n !== 4));
    expect(outcomes[4]).toMatchObject({ reason: { name: 'KeyMissing' } });
    expect(await older.load(productDecider, productId)).toMatchObject({ version: 9, state: { stock: 92 } });
  });

  it('CMD4 decides what waits on one stream in one batch per append', async () => {
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

  it('ORD2 never sells more than there is, whatever comes at once', async () => {
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

  it('CMD2 retries a conflict on fresh state, and decides a refusal on fresh state only', async () => {
    const [mine, other] = [embedded.handler(), embedded.handler()];
    await mine.execute(productDecider, productId, add(1), metaOf('add'));
    expect(await mine.execute(productDecider, productId, reduce(1), metaOf('place:1'))).toMatchObject({ kind: 'done' });
    const back: ProductCommand = { type: 'ReturnStock', orderId: orderIdOf(1), quantity: 1 };
    await other.execute(productDecider, productId, back, metaOf('return:1'));
    // `mine` still holds the state without the return: refusing on it would be wrong.
    expect(await mine.execute(productDecider, productId, reduce(2), metaOf('place:2'))).toMatchObject({ kind: 'done' });
    expect(await other.execute(productDecider, productId, reduce(3), metaOf('place:3'))).toMatchObject({
      kind: 'refused',
      refusal: { code: 'quantity_out_of_range', stock: 0 },
    });
  });

  it('CMD3 finds what a cause has yielded, in the log and within its own batch', async () => {
    const handler = embedded.handler();
    await handler.execute(productDecider, productId, add(10), metaOf('add'));
    const same = () => handler.execute(productDecider, productId, reduce(7, 2), metaOf('place:7'));
    const [first, second] = await Promise.all([same(), same()]);
    expect(first).toMatchObject({ kind: 'done', version: 2 });
    expect(second).toMatchObject({ kind: 'done', version: 2, events: [] });
    const later = await embedded.handler().execute(productDecider, productId, reduce(7, 2), metaOf('place:7'));
    expect(later).toMatchObject({ kind: 'done', events: [], prior: [{ type: 'StockReduced' }] });
    expect(await embedded.log.head(stream)).toBe(2);
  });

  it('LOG2 tries the same commit again after an unknown outcome, so that nothing is appended twice', async () => {
    let failures = 2;
    const { log, commits } = interceptAppends(embedded.log, async (commit) => {
      if (failures === 0) return;
      failures -= 1;
      // The first time the commit was stored although its answer was lost.
      if (failures === 1) await embedded.log.append(commit);
      throw new AppendOutcomeUnknown('connection lost');
    });
    const handler = embedded.handler({ log });
    expect(await handler.execute(productDecider, productId, add(5), metaOf('add'))).toMatchObject({
      kind: 'done',
      version: 1,
    });
    expect(new Set(commits.map((commit) => commit.id)).size).toBe(1);
    expect(await embedded.log.head(stream)).toBe(1);
  });

  it('CMD5 a full queue refuses before anything is done, but never a later step of a command', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { log } = interceptAppends(embedded.log, () => held);
    const handler = embedded.handler({ log, maxPending: 2 });
    const adding = handler.execute(productDecider, productId, add(5), metaOf('add'));
    const waiting = handler.execute(productDecider, productId, reduce(1), metaOf('place:1'));
    await expect(handler.execute(productDecider, productId, reduce(2), metaOf('place:2'))).rejects.toThrow(Overloaded);
    const step = handler.execute(productDecider, productId, reduce(3), metaOf('place:3'), { admitted: true });
    release();
    expect(await adding).toMatchObject({ kind: 'done' });
    expect(await waiting).toMatchObject({ kind: 'done' });
    expect(await step).toMatchObject({ kind: 'done' });
    await handler.idle();
    expect(handler.pending()).toBe(0);
  });

  it('CMD5 a stream takes one command after the other without end, however few may wait for it', async () => {
    const handler = embedded.handler({ maxPendingPerStream: 2 });
    await handler.execute(productDecider, productId, add(10), metaOf('add'));
    for (let n = 1; n <= 5; n += 1) {
      expect(await handler.execute(productDecider, productId, reduce(n), metaOf(`place:${n}`))).toMatchObject({
        kind: 'done',
        version: 1 + n,
      });
    }
  });

  it('CMD7 what waits behind an append of unknown outcome fails with it, and is not sent to the store', async () => {
    let waits = () => {};
    const waiting = new Promise<void>((resolve) => {
      waits = resolve;
    });
    const { log, commits } = interceptAppends(embedded.log, async () => {
      await waiting;
      throw new AppendOutcomeUnknown('connection lost');
    });
    const handler = embedded.handler({ log, appendTimeoutMs: 200 });
    const first = handler.execute(productDecider, productId, add(5), metaOf('add'));
    await expect.poll(() => commits.length).toBe(1);
    const second = handler.execute(productDecider, productId, reduce(1), metaOf('place:1'));
    waits();
    for (const { status } of await Promise.allSettled([first, second])) expect(status).toBe('rejected');
    expect(new Set(commits.map(({ id }) => id)).size).toBe(1);
  });

  it('an append that fails rejects its commands, and the stream goes on', async () => {
    let broken = true;
    const { log } = interceptAppends(embedded.log, () => {
      if (broken) throw new Error('disk full');
    });
    const handler = embedded.handler({ log });
    await expect(handler.execute(productDecider, productId, add(5), metaOf('add'))).rejects.toThrow('disk full');
    broken = false;
    expect(await handler.execute(productDecider, productId, add(5), metaOf('add'))).toMatchObject({
      kind: 'done',
      version: 1,
    });
  });

  it('CMD4 a command that cannot be decided fails alone, not with those that wait beside it', async () => {
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

  it('LOG2 CMD4 commands that are too large for one commit together are all taken, in several', async () => {
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

  it('READ1 AUTH2 loads state that is as new as the log, whoever appended', async () => {
    const [mine, other] = [embedded.handler(), embedded.handler()];
    await mine.execute(productDecider, productId, add(5), metaOf('add'));
    await other.execute(productDecider, productId, reduce(1, 2), metaOf('place:1'));
    expect(await mine.load(productDecider, productId)).toMatchObject({ version: 2, state: { stock: 3 } });
    expect(await mine.load(productDecider, 'e'.repeat(32))).toEqual({ version: 0, state: { status: 'absent' } });
  });

  it('keeps the state of few streams at hand, and still decides right on all', async () => {
    const handler = embedded.handler({ rememberedBytes: 4_000 });
    const ids = Array.from({ length: 8 }, (_, n) => orderIdOf(n + 1000));
    for (const id of ids) await handler.execute(productDecider, id, add(1), metaOf('add'));
    for (const id of ids) {
      const command: ProductCommand = { ...reduce(1), productId: id } as ProductCommand;
      expect(await handler.execute(productDecider, id, command, metaOf('place:1'))).toMatchObject({
        kind: 'done',
        version: 2,
      });
    }
  });

  it('forgets a stream that has grown since it was first kept, once another one needs the room', async () => {
    const readFromStart: string[] = [];
    const log: typeof embedded.log = {
      ...embedded.log,
      readStream(name, after, limit) {
        if (after === 0) readFromStart.push(name);
        return embedded.log.readStream(name, after, limit);
      },
    };
    const handler = embedded.handler({ log, rememberedBytes: 10_000 });
    const ids = [orderIdOf(1), orderIdOf(2)] as const;
    for (const id of ids) {
      await handler.execute(productDecider, id, add(100), metaOf('add'));
      const buyers = Array.from({ length: 30 }, (_, n) => ({ ...reduce(n), productId: id }) as ProductCommand);
      await Promise.all(buyers.map((buy, n) => handler.execute(productDecider, id, buy, metaOf(`place:${n}`))));
    }
    readFromStart.length = 0;
    for (const id of ids.toReversed()) await handler.load(productDecider, id);
    // Each takes more than half of the room by now.
    expect(readFromStart).toEqual([streamName('product', ids[0])]);
  });
});
