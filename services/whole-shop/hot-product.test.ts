import { afterAll, beforeAll, expect, it } from 'vitest';
import { LIGHT_ADMIN, type LightShop, startLightShop } from './light-shop.fixture.ts';
import { repetitions } from './long-run.fixture.ts';
import { addProduct, inParallel, orderList, orderOf, productOf, signIn } from './shop-client.fixture.ts';
import { freshDataDir } from './shop-process.fixture.ts';

const BUYERS = repetitions({ few: 500, many: 2_000 });
const UNITS = 100;
const data = freshDataDir();
let shop: LightShop;

beforeAll(async () => {
  shop = await startLightShop(data.path);
});
afterAll(async () => {
  await shop.stop();
  data.remove();
});

it(`CMD4 ORD2 ORD3 exactly ${UNITS} of ${BUYERS} orders sent 64 at a time are placed if the product has ${UNITS} units in stock`, async () => {
  const admin = await signIn(shop.url, LIGHT_ADMIN);
  const productId = await addProduct(admin, { quantity: UNITS });
  const buyers = await Promise.all(Array.from({ length: 64 }, (_, n) => signIn(shop.url, `buyer${n}@shop.test`)));
  const answers = new Map<string, number>();
  const began = performance.now();
  await inParallel(BUYERS, 64, async (index) => {
    const buyer = buyers[index % buyers.length] ?? admin;
    const { status, body } = await buyer.call('POST', '/orders', orderOf(buyer, productId));
    const key = status === 201 ? 'placed' : `${status} ${(body as { code: string }).code}`;
    answers.set(key, (answers.get(key) ?? 0) + 1);
  });
  console.info(`${BUYERS} buyers in ${Math.round(performance.now() - began)} ms: ${JSON.stringify([...answers])}`);
  expect(Object.fromEntries(answers)).toEqual({ placed: UNITS, '422 quantity_out_of_range': BUYERS - UNITS });
  expect(orderList(await admin.call('GET', '/orders'))).toHaveLength(UNITS);
  expect(productOf(await admin.call('GET', `/products/${productId}`)).quantity).toBe(0);
}, 120_000);
