import { buyAndShip, fillOrder } from '../buying.fixture.ts';
import { liveDot, PEOPLE, watchForReload } from '../shop.fixture.ts';
import { expect, liveSockets, test } from './servers-shop.fixture.ts';

test('X3 LIVE1 a browser on one live copy sees what an admin on the other ships, and the other way round', async ({
  shop,
  personAt,
}) => {
  const product = 'Norwester G7';
  const [here, there] = shop.pinned;
  const shopper = await personAt(here, PEOPLE.shopper);
  await expect(liveDot(shopper)).toHaveText('Live');
  await expect.poll(() => liveSockets(shop)).toEqual([1, 0]);
  const admin = await personAt(there, PEOPLE.admin);
  await admin.goto('/dashboard/allorder');
  await expect(liveDot(admin)).toHaveText('Live');
  await expect.poll(() => liveSockets(shop)).toEqual([1, 1]);
  const adminStayed = await watchForReload(admin);

  await fillOrder(shopper, product);
  const shopperStayed = await watchForReload(shopper);
  await buyAndShip(shopper, admin, product);
  await expect(shopper).toHaveURL(`${here}/dashboard/myorders`);

  await expect(liveDot(shopper)).toHaveText('Live');
  expect(await liveSockets(shop)).toEqual([1, 1]);
  expect(await shopperStayed()).toBe(true);
  expect(await adminStayed()).toBe(true);
});
