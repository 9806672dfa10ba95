import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { streamName } from '../contracts/ids.ts';
import { productDecider } from '../domain/product/decide-product.ts';
import type { ProductCommand } from '../domain/product/product.ts';
import type { EventLog } from '../event-log/event-log.ts';
import { interceptAppends, metaOf, openEmbeddedLog } from './embedded-log.fixture.ts';

const productId = 'b'.repeat(32);
const stream = streamName('product', productId);
const details = {
  name: 'Tower One',
  img1: '',
  img2: '',
  processor: '',
  gpu: '',
  rated: '',
  description: '',
  price: 500_000,
  minorder: 1,
};
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

/** A log that notes which reads are asked of it. */
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

/** Reads of which, asked at once, the first is made, then `between` happens, then the second is made. */
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

describe('what a command reads', () => {
  it('CMD4 a batch of any size asks at once for what its causes have yielded and for what others have appended', async () => {
    const { log, reads } = countReads();
    const handler = embedded.handler({ log });
    await handler.execute(productDecider, productId, add, metaOf('add'));
    reads.length = 0;
    const batch = Array.from({ length: 50 }, (_, n) =>
      handler.execute(productDecider, productId, giveBack(n), metaOf(`return:${n}`)),
    );
    await Promise.all(batch);
    expect(reads.sort()).toEqual(['findByCauses', 'readStream']);
  });

  it('a stream that was loaded and is not there yet is begun without another read', async () => {
    const { log, reads } = countReads();
    const handler = embedded.handler({ log });
    expect(await handler.load(productDecider, productId)).toMatchObject({ version: 0 });
    expect(await handler.execute(productDecider, productId, add, metaOf('add'))).toMatchObject({ version: 1 });
    expect(reads).toEqual(['readStream']);
  });

  it('a stream that was never read is read before anything is appended to it', async () => {
    await embedded.handler().execute(productDecider, productId, add, metaOf('add'));
    const { log, commits } = interceptAppends(embedded.log, () => {});
    const handler = embedded.handler({ log });
    await handler.execute(productDecider, productId, giveBack(1), metaOf('return:1'));
    expect(commits.map(({ expectedVersion }) => expectedVersion)).toEqual([1]);
  });

  it('CMD2 CMD3 a stream that another process has begun since is read before anything is decided on it', async () => {
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

  for (const [first, second] of [
    ['findByCauses', 'readStream'],
    ['readStream', 'findByCauses'],
  ] as const) {
    it(`CMD3 finds what the same cause yields in another process between ${first} and ${second}`, async () => {
      const log = { ...embedded.log };
      const [mine, other] = [embedded.handler({ log }), embedded.handler()];
      await mine.execute(productDecider, productId, add, metaOf('add'));
      const same = (handler: typeof mine) =>
        handler.execute(productDecider, productId, giveBack(1), metaOf('return:1'));
      Object.assign(
        log,
        readInTurn(first, second, () => same(other)),
      );
      expect(await same(mine)).toMatchObject({ kind: 'done', version: 2, events: [] });
      expect((await embedded.eventsOf(stream)).map(({ type }) => type)).toEqual(['ProductAdded', 'StockReturned']);
    });
  }
});
