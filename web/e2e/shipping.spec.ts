import type { Page } from '@playwright/test';
import type { OrderView } from '../../services/contracts/order/order-view.ts';
import { freshDataDir, startShopProcess } from '../../services/whole-shop/shop-process.fixture.ts';
import { placePaid, sell } from './buying.fixture.ts';
import { callAs, expect, liveDot, PEOPLE, signIn, test } from './shop.fixture.ts';

const rows = (page: Page) => page.getByRole('table', { name: 'Orders' }).locator('tr[data-index]');

async function openBoard(admin: Page, search: string): Promise<void> {
  await admin.goto(`/dashboard/allorder${search}`);
  await expect(liveDot(admin)).toHaveText('Live');
}

test("W7 a tap that just misses the checkbox on an order's card selects the order instead of opening it", async ({
  person,
}) => {
  const admin = await person(PEOPLE.admin);
  const shopper = await person(PEOPLE.shopper);
  const productId = await sell(admin, 'Jamuna Board');
  for (const name of ['First thumb', 'Second thumb']) await placePaid(shopper, productId, { name });
  await admin.setViewportSize({ width: 390, height: 844 });
  await openBoard(admin, '?q=jamuna');
  await expect(rows(admin)).toHaveCount(2);
  const box = await rows(admin).nth(1).getByRole('checkbox').boundingBox();
  if (box === null) throw new Error('The checkbox of the card is not visible.');
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  // Clicks on each side and at one corner of the checkbox's 44 px touch target. The card's edges limit the clicks on
  // the left and at the top to 20 px from the centre.
  let selected = false;
  for (const [dx, dy] of [
    [-20, 0],
    [22, 0],
    [0, -20],
    [0, 22],
    [22, 22],
  ] as const) {
    await admin.mouse.click(x + dx, y + dy);
    selected = !selected;
    await expect(rows(admin).nth(1).getByRole('checkbox')).toBeChecked({ checked: selected });
  }
  expect(new URL(admin.url()).searchParams.get('order')).toBeNull();
  await expect(rows(admin).nth(0).getByRole('checkbox')).not.toBeChecked();
});

const notice = (page: Page, name: string) => page.getByRole('alertdialog', { name, exact: true });
const paidOrders = async (admin: Page, q: string) =>
  (await callAs(admin, 'GET', `/orders?status=paid&sort=oldest&q=${q}`)) as OrderView[];

test('W5 W8 on a freshly opened board, an admin can ship ten orders and undo the shipments one by one, using only the keyboard', async ({
  person,
}) => {
  const admin = await person(PEOPLE.admin);
  const shopper = await person(PEOPLE.shopper);
  const productId = await sell(admin, 'Dhaleshwari Board');
  for (let n = 0; n < 10; n += 1) await placePaid(shopper, productId, { name: `Dhaleshwari ${n}` });
  const numbers = (await paidOrders(admin, 'dhaleshwari')).map(({ number }) => number);
  expect(numbers).toHaveLength(10);
  await openBoard(admin, '?status=paid&q=dhaleshwari');
  await expect(rows(admin)).toHaveCount(10);
  expect(await admin.evaluate(() => document.activeElement === document.body)).toBe(true);
  await admin.keyboard.press('j');
  // Waits before the next key, because keys pressed faster than a person can type are treated as a scan.
  await expect(admin.getByRole('button', { name: `Open order ${numbers[0]}` })).toBeFocused();
  for (const number of numbers) {
    await admin.keyboard.press('s');
    await expect(notice(admin, 'Shipped')).toContainText(number);
  }
  expect(await paidOrders(admin, 'dhaleshwari')).toEqual([]);
  for (const number of numbers.toReversed()) {
    await admin.keyboard.press('u');
    await expect(notice(admin, 'Taken back').getByText(new RegExp(`^${number},`))).toBeVisible();
  }
  expect(await paidOrders(admin, 'dhaleshwari')).toHaveLength(10);
  await admin.keyboard.press('u');
  await expect(admin.getByRole('status', { name: 'Keys' })).toContainText('u did nothing');
});

test('W8 RATE1 an admin can ship two hundred orders and undo all of the shipments while rate limits are on', async ({
  open,
}) => {
  test.slow();
  const data = freshDataDir();
  const first = await startShopProcess(data.path);
  const { port } = new URL(first.url);
  const [admin, shopper] = [await open({ baseURL: first.url }), await open({ baseURL: first.url })];
  await signIn(admin, PEOPLE.admin);
  await signIn(shopper, PEOPLE.shopper);
  const productId = await sell(admin, 'Surma Board');
  for (let placed = 0; placed < 200; placed += 20) {
    await Promise.all(Array.from({ length: 20 }, () => placePaid(shopper, productId, { name: 'Surma' })));
  }
  await first.stop();
  const limited = await startShopProcess(data.path, { PORT: port, RATE_LIMIT: 'on' });
  await openBoard(admin, '?status=paid&q=surma');
  await expect(rows(admin).first()).toBeVisible();
  await admin.keyboard.press('Control+a');
  await expect(admin.getByText('200 selected')).toBeVisible();
  await admin.keyboard.press('s');
  await expect(notice(admin, 'Shipped')).toContainText('200 of 200 orders are set to shipped.');
  await admin.keyboard.press('u');
  await expect(notice(admin, 'Taken back')).toContainText('200 of 200 orders are to be delivered again.');
  expect(await paidOrders(admin, 'surma')).toHaveLength(200);
  await limited.stop();
  data.remove();
});

test("W3 at every screen size, at most one DELIVER button is filled and nothing in the board's header is cut off, and a phone shows three whole order cards", async ({
  person,
}) => {
  const admin = await person(PEOPLE.admin);
  const shopper = await person(PEOPLE.shopper);
  const productId = await sell(admin, 'Teesta Board');
  for (let n = 0; n < 5; n += 1) await placePaid(shopper, productId, { name: `Teesta ${n}` });
  const [first] = await paidOrders(admin, 'teesta');
  const search = admin.getByRole('searchbox', { name: 'Search orders' });
  const heights = () => rows(admin).evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height));
  const wholeRows = () =>
    rows(admin).evaluateAll(
      (all) => all.filter((one) => one.getBoundingClientRect().bottom <= window.innerHeight).length,
    );
  const filled = () =>
    rows(admin)
      .getByRole('button', { name: /^DELIVER/ })
      .evaluateAll((all) => {
        const fills = all.map((one) => getComputedStyle(one).backgroundColor);
        return fills.filter((fill) => fill !== 'rgba(0, 0, 0, 0)').length;
      });
  /** Returns the width, in pixels, by which the placeholder overflows the search field. */
  const cut = () =>
    search.evaluate((field) => {
      const { font, paddingLeft, paddingRight } = getComputedStyle(field);
      const pen = Object.assign(document.createElement('canvas').getContext('2d') as CanvasRenderingContext2D, {
        font,
      });
      const room = field.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
      return Math.max(0, pen.measureText((field as HTMLInputElement).placeholder).width - room);
    });
  for (const [width, height] of [
    [390, 844],
    [768, 1024],
    [1280, 800],
  ] as const) {
    await admin.setViewportSize({ width, height });
    await openBoard(admin, '?status=paid');
    await expect(rows(admin).nth(4)).toBeAttached();
    expect(await filled(), `${width}`).toBe(1);
    expect(await cut(), `${width}`).toBe(0);
    if (width === 390) expect(await wholeRows()).toBeGreaterThanOrEqual(3);
    else expect(new Set(await heights())).toEqual(new Set([36]));
  }
  await openBoard(admin, `?status=paid&order=${first?._id}`);
  const opened = admin.getByRole('region', { name: 'Order', exact: true });
  await expect(opened.getByRole('button', { name: 'DELIVER' })).toBeVisible();
  expect(await filled(), 'next to an open order').toBe(0);
  await rows(admin).nth(1).getByRole('checkbox').focus();
  expect(await filled(), 'next to an open order, with the focus in a row').toBe(0);
  const today = admin.getByRole('navigation', { name: 'Today' });
  await expect(today.getByRole('link', { name: /^(Low stock|Nothing runs low)/ })).toBeInViewport({ ratio: 1 });
  expect(await today.evaluate((strip) => strip.scrollWidth - strip.clientWidth)).toBe(0);
  expect(await cut()).toBe(0);
});

test('P5 W7 a selection and a half-written refund with its idempotency key survive leaving the board and coming back', async ({
  person,
}) => {
  const admin = await person(PEOPLE.admin);
  const shopper = await person(PEOPLE.shopper);
  const productId = await sell(admin, 'Meghna Board');
  for (const name of ['First stay', 'Second stay']) await placePaid(shopper, productId, { name });
  await openBoard(admin, '?status=paid&q=meghna');
  await rows(admin).nth(0).getByRole('checkbox').click();
  await expect(admin.getByText('1 selected')).toBeVisible();
  await rows(admin)
    .nth(1)
    .getByRole('button', { name: /^Open order/ })
    .click();
  const form = admin.getByRole('form', { name: 'Refund' });
  await admin.getByRole('button', { name: 'Refund', exact: true }).click();
  await form.getByText('A part').click();
  await form.getByLabel('Amount in taka').fill('10');
  await form.getByLabel('Note, for admins only').fill('Scratched');
  const keys: (string | undefined)[] = [];
  // The first attempt is lost on its way to the shop.
  await admin.route(/\/refunds$/, (route) => {
    keys.push(route.request().headers()['idempotency-key']);
    return keys.length === 1 ? route.abort() : route.continue();
  });
  const dialog = admin.getByRole('dialog', { name: /^Refund/ });
  await form.getByRole('button', { name: /^Refund/ }).click();
  await dialog.getByRole('button', { name: 'Refund', exact: true }).click();
  await expect(dialog.getByRole('alert')).toBeVisible();
  await dialog.getByRole('button', { name: 'Keep payment' }).click();
  await admin.getByRole('link', { name: 'Manage Product' }).click();
  await expect(admin.getByRole('heading', { name: 'Manage Product' })).toBeVisible();
  await admin.goBack();
  await expect(admin.getByText('1 selected')).toBeVisible();
  await expect(form.getByLabel('Amount in taka')).toHaveValue('10');
  await expect(form.getByLabel('Note, for admins only')).toHaveValue('Scratched');
  await form.getByRole('button', { name: /^Refund/ }).click();
  await dialog.getByRole('button', { name: 'Refund', exact: true }).click();
  await expect(dialog).toBeHidden();
  expect(keys).toHaveLength(2);
  expect(keys[1]).toBe(keys[0]);
});
