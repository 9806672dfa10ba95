import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { streamName } from '../../contracts/ids.ts';
import { productDecider } from '../../shop/product/decide-product.ts';
import type { ProductCommand } from '../../shop/product/product.ts';
import { AppendOutcomeUnknown } from '../log/event-log.ts';
import { Overloaded } from './command-handler.ts';
import { interceptAppends, metaOf, openEmbeddedLog } from './embedded-log.fixture.ts';
import { add, orderIdOf, productId, reduce, stream } from './product-commands.fixture.ts';

let embedded: ReturnType<typeof openEmbeddedLog>;
beforeEach(() => {
  embedded = openEmbeddedLog();
});
afterEach(() => embedded.close());
describe('command handler', () => {
  it('CMD1 execute() resolves only after the append is durable', async () => {
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

  it('CMD1 idle() resolves once all running commands have finished', async () => {
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

  it("CMD2 if the cached state is stale, a command is accepted or refused based on the stream's current state", async () => {
    const [mine, other] = [embedded.handler(), embedded.handler()];
    await mine.execute(productDecider, productId, add(1), metaOf('add'));
    expect(await mine.execute(productDecider, productId, reduce(1), metaOf('place:1'))).toMatchObject({ kind: 'done' });
    const back: ProductCommand = { type: 'ReturnStock', orderId: orderIdOf(1), quantity: 1 };
    await other.execute(productDecider, productId, back, metaOf('return:1'));
    // The state cached by `mine` doesn't include the returned stock, so a refusal based on that state would be wrong.
    expect(await mine.execute(productDecider, productId, reduce(2), metaOf('place:2'))).toMatchObject({ kind: 'done' });
    expect(await other.execute(productDecider, productId, reduce(3), metaOf('place:3'))).toMatchObject({
      kind: 'refused',
      refusal: { code: 'quantity_out_of_range', stock: 0 },
    });
  });

  it('CMD3 a command repeated with the same cause appends nothing, whether the first one is in the log or in the same batch', async () => {
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

  it('LOG2 if the outcome of an append is unknown, the same commit is retried and is appended only once', async () => {
    let failures = 2;
    const { log, commits } = interceptAppends(embedded.log, async (commit) => {
      if (failures === 0) return;
      failures -= 1;
      // The first attempt stores the commit, but the response is lost.
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

  it('CMD5 a full queue rejects new commands, but not the later steps of a command that was already accepted', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { log } = interceptAppends(embedded.log, () => held);
    const handler = embedded.handler({ log, maxPending: 2 });
    const adding = handler.execute(productDecider, productId, add(5), metaOf('add'));
    const waiting = handler.execute(productDecider, productId, reduce(1), metaOf('place:1'));
    await expect(handler.execute(productDecider, productId, reduce(2), metaOf('place:2'))).rejects.toThrow(Overloaded);
    const step = handler.execute(productDecider, productId, reduce(3), metaOf('place:3'), { bypassLimits: true });
    release();
    expect(await adding).toMatchObject({ kind: 'done' });
    expect(await waiting).toMatchObject({ kind: 'done' });
    expect(await step).toMatchObject({ kind: 'done' });
    await handler.idle();
    expect(handler.pending()).toBe(0);
  });

  it('CMD5 the limit on waiting commands does not limit how many commands a stream accepts one after another', async () => {
    const handler = embedded.handler({ maxPendingPerStream: 2 });
    await handler.execute(productDecider, productId, add(10), metaOf('add'));
    for (let n = 1; n <= 5; n += 1) {
      expect(await handler.execute(productDecider, productId, reduce(n), metaOf(`place:${n}`))).toMatchObject({
        kind: 'done',
        version: 1 + n,
      });
    }
  });

  it('CMD7 if the outcome of an append stays unknown, the commands waiting for that append fail without reaching the store', async () => {
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

  it('if an append fails, its commands are rejected, and later commands on the stream succeed', async () => {
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

  it("READ1 AUTH2 load() returns a stream's latest state, even if another process has appended to the stream", async () => {
    const [mine, other] = [embedded.handler(), embedded.handler()];
    await mine.execute(productDecider, productId, add(5), metaOf('add'));
    await other.execute(productDecider, productId, reduce(1, 2), metaOf('place:1'));
    expect(await mine.load(productDecider, productId)).toMatchObject({ version: 2, state: { stock: 3 } });
    expect(await mine.load(productDecider, 'e'.repeat(32))).toEqual({ version: 0, state: { status: 'absent' } });
  });

  it('commands on every stream are decided correctly, even if only a few streams fit in the cache', async () => {
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

  it('a stream that has grown in the cache is evicted when another stream needs the space', async () => {
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
    // Each stream now takes up more than half of the cache, so the first stream has been evicted and has to be read
    // again.
    expect(readFromStart).toEqual([streamName('product', ids[0])]);
  });
});
