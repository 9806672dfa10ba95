import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { orderPlacedSchema } from '../contracts/order/order-answers.ts';
import { LIGHT_ADMIN } from './light-shop.fixture.ts';
import { spawnProgram, startReadyProcess } from './ready-process.fixture.ts';
import { addProduct, inParallel, orderOf, signIn } from './shop-client.fixture.ts';
import { freshDataDir } from './shop-process.fixture.ts';

const STOCK = 100_000;

/** Preloaded into each thread of the shop. Every thread except the main one exits once the file named by `DIE_AT` exists. */
const DIES = `import { existsSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
if (!isMainThread) setInterval(() => { if (existsSync(process.env.DIE_AT)) process.exit(7); }, 1).unref();`;

it('LOG8 LOG1 CMD1 a shop exits if its writer thread dies under load, and loses no acknowledged order', async () => {
  const data = freshDataDir();
  const sign = join(data.path, 'die');
  const child = await spawnProgram('light-shop-process', [data.path], {
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(DIES)}`,
    DIE_AT: sign,
  });
  const exited = once(child, 'exit');
  const [line] = await once(child.stdout, 'data');
  const url = /^ready (\S+)$/m.exec(String(line))?.[1] ?? '';
  const admin = await signIn(url, LIGHT_ADMIN);
  const product = await addProduct(admin, { quantity: STOCK });
  const buyer = await signIn(url, 'rumi@shop.test');
  const placed: string[] = [];
  const answers = new Set<number>();
  await inParallel(100_000, 16, async () => {
    if (child.exitCode !== null) return;
    const answer = await buyer.call('POST', '/orders', orderOf(buyer, product)).catch(() => null);
    if (answer) answers.add(answer.status);
    if (answer?.status === 201) placed.push(orderPlacedSchema.parse(answer.body).insertedId);
    if (placed.length > 30 && !existsSync(sign)) writeFileSync(sign, '');
  });
  expect(await exited).toEqual([1, null]);
  // Every response either acknowledges an order or is a 503. Most requests get no response, because the process exits.
  expect([...answers].filter((status) => status !== 201 && status !== 503)).toEqual([]);

  const shop = await startReadyProcess('light-shop-process', [data.path]);
  const again = await signIn(shop.url, 'rumi@shop.test');
  for (const id of placed) expect((await again.call('GET', `/orders/${id}`)).status).toBe(200);
  await shop.kill();
  data.remove();
});
