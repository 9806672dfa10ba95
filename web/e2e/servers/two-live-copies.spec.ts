import type { Page } from '@playwright/test';
import { buyAndShip, fillOrder, placePaid, sell } from '../buying.fixture.ts';
import { callAs, liveDot, PEOPLE, watchForReload } from '../shop.fixture.ts';
import { expect, liveSockets, test } from './servers-shop.fixture.ts';

test("X3 LIVE1 a shopper connected to one live gateway and an admin connected to another see each other's changes", async ({
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

/** Holds back the requests to ship orders that `page` sends. Returns a function that lets these requests through. */
async function holdShipping(page: Page): Promise<() => void> {
  let letGo = () => {};
  const gone = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  await page.route(/\/(orders\/\w+|shipments)$/, async (route) => {
    if (route.request().method() !== 'GET') await gone;
    await route.continue();
  });
  return letGo;
}

test('ORD10 C16 C27 W7 W9 when two admins connected to different live gateways ship the same orders, each order ships only once, and the later admin is told who shipped it', async ({
  shop,
  personAt,
}) => {
  const [here, there] = shop.pinned;
  const first = await personAt(here, PEOPLE.admin);
  const shopper = await personAt(here, PEOPLE.shopper);
  const second = await personAt(there, PEOPLE.otherShopper);
  await callAs(first, 'PUT', `/users/admin/${PEOPLE.otherShopper.email}`);
  const productId = await sell(first, 'Jamuna Board');
  const ids: string[] = [];
  for (const name of ['Anika', 'Badal', 'Chanda', 'Dipu', 'Ela'])
    ids.push(await placePaid(shopper, productId, { name }));
  const row = (page: Page, name: string) => page.locator('tr[data-index]').filter({ hasText: name });
  const notice = (page: Page, title: string) => page.getByRole('alertdialog', { name: title, exact: true });
  for (const admin of [first, second]) {
    await admin.goto('/dashboard/allorder?q=jamuna');
    await expect(liveDot(admin)).toHaveText('Live');
    await expect(admin.locator('tr[data-index]')).toHaveCount(5);
  }
  const { number } = (await callAs(first, 'GET', `/orders/${ids[0]}`)) as { number: string };
  const [me, her] = [PEOPLE.admin.name, PEOPLE.otherShopper.name];

  const letOneGo = await holdShipping(second);
  await row(second, 'Anika')
    .getByRole('button', { name: /^DELIVER/ })
    .click();
  await row(first, 'Anika')
    .getByRole('button', { name: /^DELIVER/ })
    .click();
  await expect(notice(first, 'Shipped')).toContainText(`${number}, Anika, 1 × Jamuna Board`);
  letOneGo();
  await expect(notice(second, 'Not shipped')).toHaveText(
    new RegExp(`${number} was shipped already by ${me} at \\d\\d:\\d\\d\\.`),
  );
  await expect(row(second, 'Anika')).toContainText('SHIPPED');

  const choose = async (admin: Page, names: readonly string[]) => {
    for (const name of names) await row(admin, name).getByRole('checkbox').click();
    await expect(admin.getByText(`${names.length} selected`)).toBeVisible();
  };
  await choose(first, ['Badal', 'Chanda', 'Dipu']);
  await choose(second, ['Chanda', 'Dipu', 'Ela']);
  const letAllGo = await holdShipping(first);
  await first.keyboard.press('s');
  await second.keyboard.press('s');
  await expect(notice(second, 'Shipped')).toContainText('3 of 3 orders are set to shipped.');
  letAllGo();
  await expect(notice(first, 'Shipped')).toContainText('1 of 3 orders are set to shipped.');
  await expect(notice(first, 'Shipped')).toContainText(`was shipped already by ${her} at`);
  await expect(notice(first, 'Shipped')).toContainText('And 1 more.');
  for (const admin of [first, second]) {
    for (const name of ['Anika', 'Badal', 'Chanda', 'Dipu', 'Ela'])
      await expect(row(admin, name)).toContainText('SHIPPED');
  }
  const shipped = (await shop.everyEvent()).filter(
    ({ type, subject }) => type === 'OrderShipped' && ids.includes(subject.slice('order-'.length)),
  );
  expect(shipped.map(({ subject }) => subject.slice('order-'.length)).sort()).toEqual([...ids].sort());
});
