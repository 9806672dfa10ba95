import type { Page } from '@playwright/test';
import type { OrderView } from '../../../services/contracts/order/order-view.ts';
import { deliver, fillOrder, fillOrderFromCatalogue, payByCard } from '../buying.fixture.ts';
import { callAs, liveDot, PEOPLE, watchForReload } from '../shop.fixture.ts';
import { expect, liveSockets, test } from './servers-shop.fixture.ts';

/** How soon a page must say that it isn't live. A silence of up to 3 s still counts as healthy. */
const SOON = { timeout: 8_000 };
/**
 * How soon a page must be live again. Processes reconnect to Redis within a second, gateways must hear from every
 * publisher, and pages spread their fetches over 2 s.
 */
const RECOVERED = { timeout: 20_000 };

/** Opens the board and waits until it is loaded and its live dot reads `live`. */
async function openBoard(admin: Page, live: 'Live' | 'Not live'): Promise<void> {
  await admin.goto('/dashboard/allorder');
  await expect(admin.getByRole('log', { name: 'Order changes' })).toBeAttached();
  await expect(liveDot(admin)).toHaveText(live);
}

/** The newest order of the user signed in on `page`, as the API returns it. */
async function newestOrder(page: Page, { email }: { email: string }): Promise<OrderView> {
  const [newest] = (await callAs(page, 'GET', `/individual?email=${email}&sort=newest&limit=1`)) as OrderView[];
  if (!newest) throw new Error(`${email} has no order.`);
  return newest;
}

/** Places the same order again, through the API instead of the page. */
async function orderAgain(page: Page, order: OrderView): Promise<void> {
  const { name, email, phone, address, product, productId, quantity } = order;
  await callAs(page, 'POST', '/orders', { name, email, phone, address, product, productId, quantity });
}

/** Starts recording the texts of a page's live dot. Returns a function that returns the texts recorded so far. */
async function recordLiveDot(page: Page): Promise<() => Promise<string[]>> {
  await liveDot(page).evaluate((dot) => {
    const words: (string | null)[] = [];
    Object.assign(window, { words });
    new MutationObserver(() => words.push(dot.textContent)).observe(dot, {
      characterData: true,
      subtree: true,
      childList: true,
    });
  });
  return () => page.evaluate(() => (window as unknown as { words: string[] }).words);
}

const OUTAGES = [
  { outage: 'is down', product: 'Trellis Open Frame', begin: 'refuse', end: 'restore' },
  { outage: 'hangs', product: 'Banyan XL Full Tower', begin: 'pause', end: 'resume' },
] as const;

for (const { outage, product, begin, end } of OUTAGES) {
  test(`LIVE4 LIVE5 while Redis ${outage}, pages say that they are not live but shoppers can still buy, and once Redis recovers, the pages catch up on their own`, async ({
    shop,
    personAt,
  }) => {
    const shopper = await personAt(shop.pinned[0], PEOPLE.otherShopper);
    const admin = await personAt(shop.pinned[1], PEOPLE.admin);
    await shopper.goto('/allproducts');
    await expect(liveDot(shopper)).toHaveText('Live');
    await openBoard(admin, 'Live');
    const stayed = await watchForReload(shopper);
    const onBoard = admin.getByRole('row').filter({ hasText: product });

    await shop.redis[begin]();
    await expect(liveDot(shopper)).toHaveText('Not live', SOON);
    await expect(liveDot(admin)).toHaveText('Not live', SOON);
    await fillOrderFromCatalogue(shopper, product);
    await shopper.getByRole('button', { name: 'BUY NOW' }).click();
    const own = shopper.getByRole('row').filter({ hasText: product });
    await payByCard(shopper, own);
    await expect(onBoard).toHaveCount(0);

    // While the board isn't live, it fetches only when it is opened and after its own commands.
    await openBoard(admin, 'Not live');
    const adminStayed = await watchForReload(admin);
    await deliver(onBoard);
    await expect(admin.getByText('This product is set to shipped. Please reload to see the update.')).toBeVisible();
    await expect(own).not.toContainText('Shipped');
    await expect(liveDot(shopper)).toHaveText('Not live');

    await shop.redis[end]();
    await expect(own).toContainText('Shipped', RECOVERED);
    for (const page of [shopper, admin]) await expect(liveDot(page)).toHaveText('Live', RECOVERED);
    await orderAgain(shopper, await newestOrder(shopper, PEOPLE.otherShopper));
    // The pointer and the focus are still in the row that was shipped, so the new order isn't shown automatically.
    await admin.getByRole('button', { name: 'Show 1 new order' }).click();
    await expect(onBoard).toHaveCount(2);
    await expect(own).toHaveCount(2);
    expect(await stayed()).toBe(true);
    expect(await adminStayed()).toBe(true);
  });
}

test('LIVE2 LIVE4 a browser whose live gateway is killed reconnects to the other gateway on its own and shows the changes that it missed', async ({
  shop,
  personAt,
}) => {
  const product = 'Heron Mini';
  const shopper = await personAt(shop.url, PEOPLE.otherShopper);
  await fillOrder(shopper, product);
  await shopper.getByRole('button', { name: 'BUY NOW' }).click();
  const own = shopper.getByRole('row').filter({ hasText: product });
  await payByCard(shopper, own);
  const order = await newestOrder(shopper, PEOPLE.otherShopper);
  await expect(liveDot(shopper)).toHaveText('Live');
  await expect.poll(async () => (await liveSockets(shop)).toSorted()).toEqual([0, 1]);
  const copy = shop.running.live[(await liveSockets(shop)).indexOf(1)];
  const admin = await personAt(shop.url, PEOPLE.admin);
  const stayed = await watchForReload(shopper);
  const words = await recordLiveDot(shopper);

  const killed = copy && shop.kill('live', copy);
  await callAs(admin, 'PUT', `/orders/${order._id}`);
  await killed;
  await expect(own).toContainText('Shipped');
  await expect(liveDot(shopper)).toHaveText('Live');
  expect(await words()).toEqual(['Not live', 'Live']);
  await expect.poll(() => liveSockets(shop)).toEqual([2]);
  await orderAgain(shopper, order);
  await expect(own).toHaveCount(2);
  expect(await stayed()).toBe(true);
  await shop.start('live');
});
