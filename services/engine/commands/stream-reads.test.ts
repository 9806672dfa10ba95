import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { streamName } from '../../contracts/ids.ts';
import { StoreUnavailable } from '../../runtime/store-unavailable.ts';
import { userDecider } from '../../shop/people/decide-user.ts';
import type { UserCommand } from '../../shop/people/user.ts';
import { productDecider } from '../../shop/product/decide-product.ts';
import type { ProductCommand } from '../../shop/product/product.ts';
import { TOWER_ONE } from '../../shop/product/tower-one.fixture.ts';
import type { EventLog } from '../log/event-log.ts';
import { interceptAppends, metaOf, openEmbeddedLog } from './embedded-log.fixture.ts';

const productId = 'b'.repeat(32);
const stream = streamName('product', productId);
const details = TOWER_ONE;
const add: ProductCommand = { type: 'AddProduct', details, quantity: 100 };
const giveBack = (number: number): ProductCommand => ({
  type: 'ReturnStock',
  orderId: number.toString(16).padStart(32, '0'),
  quantity: 1,
});

let embedded: ReturnType<typeof openEmbeddedLog>;
beforeEach(() => {
  embedded = openEmbeddedLog();
});
afterEach(() => embedded.close());

type Read = 'head' | 'readStream' | 'findByCauses';
type AnyRead = (...args: never[]) => Promise<unknown>;

/** Returns a log that records the calls to its read methods. */
function countReads(): { log: EventLog; reads: Read[] } {
  const reads: Read[] = [];
  const counted = (read: Read) => ({
    [read]: (...args: never[]) => {
      reads.push(read);
      return (embedded.log[read] as AnyRead)(...args);
    },
  });
  return { log: { ...embedded.log, ...counted('head'), ...counted('readStream'), ...counted('findByCauses') }, reads };
}

/** Makes two concurrent reads run one after the other: first the `first` read, then `between`, then the `second` read. */
function readInTurn(first: Read, second: Read, between: () => Promise<unknown>): Partial<EventLog> {
  let pass = () => {};
  const passed = new Promise<void>((resolve) => {
    pass = resolve;
  });
  return {
    [first]: async (...args: never[]) => {
      const found = await (embedded.log[first] as AnyRead)(...args);
      await between();
      pass();
      return found;
    },
    [second]: async (...args: never[]) => {
      await passed;
      return (embedded.log[second] as AnyRead)(...args);
    },
  };
}

describe("the command handler's reads", () => {
  it('CMD3 CMD4 appending a batch to a cached stream takes no reads, or one round of reads if the batch repeats a cause', async () => {
    const { log, reads } = countReads();
    const handler = embedded.handler({ log });
    await handler.execute(productDecider, productId, add, metaOf('add'));
    reads.length = 0;
    const giveBackAll = (from: number) =>
      Promise.all(
        Array.from({ length: 50 }, (_, n) =>
          handler.execute(productDecider, productId, giveBack(from + n), metaOf(`return:${from + n}`)),
        ),
      );
    await giveBackAll(0);
    expect(reads).toEqual([]);
    const outcomes = await giveBackAll(49);
    expect(reads.sort()).toEqual(['findByCauses', 'readStream']);
    expect(outcomes[0]).toMatchObject({ events: [], prior: [{ type: 'StockReturned', cause: 'return:49' }] });
    expect(await embedded.log.head(stream)).toBe(100);
  });

  it('CMD2 CMD3 a handler reads a stream once, and again only if another process has written to it or a cause is repeated', async () => {
    const { log, reads } = countReads();
    const handler = embedded.handler({ log });
    const giveBackBy = (by: typeof handler, number: number) =>
      by.execute(productDecider, productId, giveBack(number), metaOf(`return:${number}`));
    expect(await handler.load(productDecider, productId)).toMatchObject({ version: 0 });
    await handler.execute(productDecider, productId, add, metaOf('add'));
    expect(reads.splice(0)).toEqual(['readStream']);
    expect(await giveBackBy(handler, 1)).toMatchObject({ version: 2 });
    expect(reads).toEqual([]);
    await giveBackBy(embedded.handler(), 2);
    expect(await giveBackBy(handler, 3)).toMatchObject({ version: 4 });
    expect(reads.splice(0)).toEqual(['readStream']);
    expect(await giveBackBy(handler, 1)).toMatchObject({ events: [], prior: [{ type: 'StockReturned' }] });
    expect(reads.sort()).toEqual(['findByCauses', 'readStream']);
    expect(await embedded.log.head(stream)).toBe(4);
  });

  it('READ1 simultaneous loads of a stream share one read, and loads that arrive during that read share the next one', async () => {
    const log = { ...embedded.log };
    const [mine, other] = [embedded.handler({ log }), embedded.handler()];
    await other.execute(productDecider, productId, add, metaOf('add'));
    let reads = 0;
    const later: Promise<{ version: number }>[] = [];
    log.readStream = async (...args) => {
      const found = await embedded.log.readStream(...args);
      reads += 1;
      if (reads === 1) {
        await other.execute(productDecider, productId, giveBack(1), metaOf('return:1'));
        later.push(mine.load(productDecider, productId), mine.load(productDecider, productId));
      }
      return found;
    };
    const first = await Promise.all(Array.from({ length: 5 }, () => mine.load(productDecider, productId)));
    expect(first.map(({ version }) => version)).toEqual([1, 1, 1, 1, 1]);
    expect((await Promise.all(later)).map(({ version }) => version)).toEqual([2, 2]);
    expect(reads).toBe(2);
  });

  it('READ1 a sole writer loads a stream from its cache, and a load during an append waits for the append', async () => {
    const { log, reads } = countReads();
    const during: Promise<{ version: number }>[] = [];
    const intercepted = interceptAppends(log, ({ expectedVersion }) => {
      if (expectedVersion > 0) during.push(handler.load(productDecider, productId));
    });
    const handler = embedded.handler({ log: intercepted.log, soleWriter: true });
    await handler.execute(productDecider, productId, add, metaOf('add'));
    reads.length = 0;
    expect([await handler.load(productDecider, productId), reads]).toMatchObject([{ version: 1 }, []]);
    await handler.execute(productDecider, productId, giveBack(1), metaOf('return:1'));
    expect(await during[0]).toMatchObject({ version: 2 });
  });

  it('READ1 AUTH2 if the outcome of an append is unknown, a sole writer reads the log for each load, because the append may reach the log late', async () => {
    let arrive = async () => {};
    const log: EventLog = {
      ...embedded.log,
      async append(commit) {
        if (commit.expectedVersion === 0) return embedded.log.append(commit);
        arrive = async () => void (await embedded.log.append(commit));
        throw new Error('the answer was lost');
      },
    };
    const handler = embedded.handler({ log, soleWriter: true });
    const version = async () => (await handler.load(productDecider, productId)).version;
    await handler.execute(productDecider, productId, add, metaOf('add'));
    await expect(handler.execute(productDecider, productId, giveBack(1), metaOf('return:1'))).rejects.toThrow();
    expect(await version()).toBe(1);
    await arrive();
    expect(await version()).toBe(2);
  });

  it('CMD2 a command is never accepted or refused based on a stale cached state', async () => {
    const [mine, other] = [embedded.handler(), embedded.handler()];
    await mine.execute(productDecider, productId, add, metaOf('add'));
    const setStock = (seenVersion: number, quantity: number, cause: string) => {
      const change: ProductCommand = { type: 'ChangeProduct', changes: {}, stock: { seenVersion, quantity } };
      return mine.execute(productDecider, productId, change, metaOf(cause));
    };
    await mine.load(productDecider, productId);
    await other.execute(productDecider, productId, giveBack(1), metaOf('return:1'));
    // If the command were decided on version 1, which `mine` has cached, it would be refused.
    expect(await setStock(2, 50, 'change:1')).toMatchObject({ kind: 'done', version: 3 });
    await mine.load(productDecider, productId);
    await other.execute(productDecider, productId, giveBack(2), metaOf('return:2'));
    // If the command were decided on version 3, which `mine` has cached, it would succeed.
    expect(await setStock(3, 60, 'change:2')).toMatchObject({ kind: 'refused' });
    expect(await embedded.log.head(stream)).toBe(4);
  });

  it('CMD7 if a load fails because the store is down, the loads waiting behind it fail without another read', async () => {
    const log = { ...embedded.log };
    const handler = embedded.handler({ log });
    let reads = 0;
    const later: Promise<unknown>[] = [];
    log.readStream = async () => {
      reads += 1;
      later.push(handler.load(productDecider, productId));
      await new Promise((resolve) => setImmediate(resolve));
      throw new StoreUnavailable('The store is away.');
    };
    await expect(handler.load(productDecider, productId)).rejects.toThrow(StoreUnavailable);
    await expect(later[0]).rejects.toThrow(StoreUnavailable);
    expect(reads).toBe(1);
  });

  it('CMD7 if an append fails because the store is down, the loads waiting for the append fail without a read', async () => {
    const { log, reads } = countReads();
    const handler = embedded.handler({ log });
    await handler.execute(productDecider, productId, add, metaOf('add'));
    reads.length = 0;
    const loads: Promise<unknown>[] = [];
    log.append = async () => {
      loads.push(handler.load(productDecider, productId));
      await new Promise(setImmediate);
      loads.push(handler.load(productDecider, productId));
      throw new StoreUnavailable('The store is away.');
    };
    const command = handler.execute(productDecider, productId, giveBack(1), metaOf('return:1'));
    await expect(command).rejects.toThrow(StoreUnavailable);
    for (const load of loads) await expect(load).rejects.toThrow(StoreUnavailable);
    expect(reads).toEqual([]);
  });

  it("CMD2 ERASE1 a command for an erased user is refused with account_closed, even if the user's state was cached before the erasure", async () => {
    const person = 'c'.repeat(32);
    const [mine, other] = [embedded.handler(), embedded.handler()];
    const identity = { uid: 'uid-1', email: 'rumi@shop.test', name: 'Rumi' };
    const register: UserCommand = { type: 'RegisterUser', userId: person, ...identity, grantAdmin: false };
    await mine.execute(userDecider, person, register, metaOf('register'));
    const close: UserCommand = { type: 'CloseAccount', reason: 'erased', delisted: 0 };
    await other.execute(userDecider, person, close, metaOf('close'));
    await embedded.sealing.erase(person);
    const save: UserCommand = { type: 'SaveProfile', userId: person, fields: { address: 'Dhaka' } };
    expect(await mine.execute(userDecider, person, save, metaOf('save'))).toEqual({
      kind: 'refused',
      refusal: { code: 'account_closed' },
    });
  });

  it('a handler reads a stream before appending to it for the first time, even after a read that failed', async () => {
    await embedded.handler().execute(productDecider, productId, add, metaOf('add'));
    const { log, commits } = interceptAppends(embedded.log, () => {});
    const handler = embedded.handler({ log });
    log.readStream = async () => {
      log.readStream = embedded.log.readStream;
      throw new Error('the store is away');
    };
    await expect(handler.load(productDecider, productId)).rejects.toThrow('the store is away');
    await handler.execute(productDecider, productId, add, metaOf('add again'));
    await handler.execute(productDecider, productId, giveBack(1), metaOf('return:1'));
    expect(commits.map(({ expectedVersion }) => expectedVersion)).toEqual([1]);
  });

  it('CMD2 CMD3 a handler that loaded a stream before it existed reads it again after another process has created it', async () => {
    const [refusing, repeating, other] = [embedded.handler(), embedded.handler(), embedded.handler()];
    for (const handler of [refusing, repeating]) await handler.load(productDecider, productId);
    await other.execute(productDecider, productId, add, metaOf('add'));
    expect(await refusing.execute(productDecider, productId, giveBack(1), metaOf('return:1'))).toMatchObject({
      kind: 'done',
      version: 2,
    });
    expect(await repeating.execute(productDecider, productId, add, metaOf('add'))).toMatchObject({
      kind: 'done',
      events: [],
      prior: [{ type: 'ProductAdded' }],
    });
    expect(await embedded.log.head(stream)).toBe(2);
  });

  it('CMD3 a handler that has loaded a stream recognises a cause that another process handled earlier', async () => {
    const { log, reads } = countReads();
    const [mine, other] = [embedded.handler({ log }), embedded.handler()];
    await other.execute(productDecider, productId, add, metaOf('add'));
    await other.execute(productDecider, productId, giveBack(1), metaOf('return:1'));
    await mine.load(productDecider, productId);
    reads.length = 0;
    expect(await mine.execute(productDecider, productId, giveBack(1), metaOf('return:1'))).toMatchObject({
      events: [],
      prior: [{ type: 'StockReturned' }],
    });
    expect(reads.sort()).toEqual(['findByCauses', 'readStream']);
  });

  for (const [when, first, second] of [
    ['before its stream is read', 'other', 'read'],
    ['between reading and appending', 'read', 'other'],
  ] as const) {
    it(`CMD2 CMD3 a command appends nothing if another process appends events for the same cause ${when}`, async () => {
      const log = { ...embedded.log };
      const [mine, other] = [embedded.handler({ log }), embedded.handler()];
      await mine.execute(productDecider, productId, add, metaOf('add'));
      // The append by `other` makes the state cached by `mine` stale, so `mine` has to read the log.
      await other.execute(productDecider, productId, giveBack(2), metaOf('return:2'));
      const same = (handler: typeof mine) =>
        handler.execute(productDecider, productId, giveBack(1), metaOf('return:1'));
      log.readStream = async (...args) => {
        const steps = { other: () => same(other), read: () => embedded.log.readStream(...args) };
        const done = { [first]: await steps[first](), [second]: await steps[second]() };
        return done.read as Awaited<ReturnType<EventLog['readStream']>>;
      };
      expect(await same(mine)).toMatchObject({ kind: 'done', version: 3, events: [] });
      expect((await embedded.eventsOf(stream)).map(({ cause }) => cause)).toEqual(['add', 'return:2', 'return:1']);
    });
  }

  for (const [first, second] of [
    ['findByCauses', 'readStream'],
    ['readStream', 'findByCauses'],
  ] as const) {
    it(`CMD3 a command appends nothing if another process handles the same cause between the ${first}() and ${second}() calls`, async () => {
      const log = { ...embedded.log };
      const [mine, other] = [embedded.handler({ log }), embedded.handler()];
      await mine.execute(productDecider, productId, add, metaOf('add'));
      const same = (handler: typeof mine) =>
        handler.execute(productDecider, productId, giveBack(1), metaOf('return:1'));
      Object.assign(
        log,
        readInTurn(first, second, () => same(other)),
      );
      // The repeated 'add' makes `mine` look up causes in the log. `mine` hasn't seen the other command's cause before.
      const [, outcome] = await Promise.all([mine.execute(productDecider, productId, add, metaOf('add')), same(mine)]);
      expect(outcome).toMatchObject({ kind: 'done', version: 2, events: [] });
      expect((await embedded.eventsOf(stream)).map(({ type }) => type)).toEqual(['ProductAdded', 'StockReturned']);
    });
  }
});
