import type { Locator, Page } from '@playwright/test';
import type { ProductView } from '../../services/contracts/product/product-view.ts';
import { shiftsOf, watchShifts } from './layout-shifts.fixture.ts';
import { callAs, expect, liveDot, PEOPLE, test, watchForReload } from './shop.fixture.ts';

const card = (page: Page, name: string): Locator => page.getByRole('article', { name, exact: true });
const cardNames = (page: Page) => () =>
  page.getByRole('article').evaluateAll((cards) => cards.map((one) => one.getAttribute('aria-label')));

test.describe('all items', () => {
  test('R2 the URL contains the search, the sort order and the stock filter, so a shared link or the Back button restores them', async ({
    page,
    visitor,
  }) => {
    await page.goto('/allproducts');
    await expect(page.getByText(/^\d+ items$/)).toBeVisible();
    const all = await page.getByRole('article').count();
    await page.getByLabel('Search products').fill('airflow rtx');
    await expect(page.getByText('Nothing matches')).toBeVisible();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expect(page).toHaveURL(/\/allproducts$/);
    await expect(page.getByRole('article')).toHaveCount(all);

    await page.getByLabel('Search products').fill('gaming rtx');
    await expect(page).toHaveURL(/\/allproducts\?q=gaming\+rtx$/);
    await page.getByLabel('Sort by').selectOption('Price: high to low');
    await page.getByLabel('In stock only').check();
    await expect(page).toHaveURL(/\?q=gaming\+rtx&order=-price&inStock=1$/);
    const dearest = (await (
      await page.request.get('/products?q=gaming%20rtx&order=-price&inStock=1')
    ).json()) as ProductView[];
    const expected = dearest.filter(({ quantity, minorder }) => quantity >= minorder).map(({ name }) => name);
    expect(expected.length).toBeGreaterThan(1);
    await expect.poll(cardNames(page)).toEqual(expected);
    await expect(page.getByText(`${expected.length} items found`)).toBeVisible();

    const friend = await visitor();
    await friend.goto(page.url());
    await expect.poll(cardNames(friend)).toEqual(expected);
    await expect(friend.getByLabel('Search products')).toHaveValue('gaming rtx');

    await page.goBack();
    await expect(page.getByLabel('In stock only')).not.toBeChecked();
    await page.goBack();
    await expect(page.getByLabel('Sort by')).toHaveValue('');
    await page.goBack();
    await expect(page.getByLabel('Search products')).toHaveValue('');
    await expect(page.getByRole('article')).toHaveCount(all);
  });

  test('H4 LIST1 K4 a product that sells out leaves the in-stock list, and its card shows stock changes without a reload', async ({
    page,
    person,
  }) => {
    const admin = await person(PEOPLE.admin);
    const fields = { name: 'Karnaphuli Slim', price: 4000, quantity: 9, minorder: 2, img1: '/casings/heron-mini.svg' };
    const { insertedId: id } = (await callAs(admin, 'POST', '/products', fields)) as { insertedId: string };
    const setStock = async (quantity: number) => {
      const { version } = (await callAs(admin, 'GET', `/products/${id}`)) as ProductView;
      await callAs(admin, 'PUT', `/products/${id}`, { quantity, version });
    };
    await page.goto('/allproducts?q=karnaphuli&inStock=1');
    await expect(liveDot(page)).toHaveText('Live');
    const stayed = await watchForReload(page);
    await expect(page.getByText('1 item found')).toBeVisible();
    await setStock(1);
    await expect(page.getByText('Nothing matches')).toBeVisible();
    await expect(page.getByText('0 items found')).toBeVisible();
    await page.getByLabel('In stock only').uncheck();
    const shown = card(page, 'Karnaphuli Slim');
    await expect(shown.getByRole('button', { name: 'Sold out: Karnaphuli Slim' })).toBeDisabled();
    await setStock(0);
    await expect(shown.getByRole('definition').first()).toHaveText('0');
    await setStock(4);
    await expect(shown.getByText('Only 4 left')).toBeVisible();
    await expect(shown.getByRole('link', { name: 'Buy now: Karnaphuli Slim' })).toBeVisible();
    expect(await stayed()).toBe(true);
    await callAs(admin, 'DELETE', `/products/${id}`);
    await expect(shown).toHaveCount(0);
  });

  test('R23 R2 H3 product lists show the three-shape spinner while they load, and nothing shifts when the products arrive', async ({
    visitor,
  }) => {
    for (const width of [390, 1280]) {
      for (const path of ['/', '/allproducts']) {
        const page = await visitor();
        await page.setViewportSize({ width, height: 800 });
        await watchShifts(page);
        const release = await holdLists(page);
        // The server doesn't prerender a page that has a search in its address.
        await page.goto(`${path}?q=`);
        const spinner = page.getByRole('status', { name: /^Loading (the )?products$/ });
        await expect(spinner.locator('[data-shape]')).toHaveCount(3);
        release();
        await expect(page.getByRole('article').first()).toBeVisible();
        if (path === '/') await expect(page.getByTestId('reviews').locator('figure')).toHaveCount(5);
        await page.waitForLoadState('networkidle');
        expect(await shiftsOf(page), `${path} at ${width} px`).toBeLessThan(0.02);
        await page.close();
      }
    }
  });
});

/** Holds back the requests for products and reviews. Returns a function that releases them. */
async function holdLists(page: Page): Promise<() => void> {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/\/(products|reviews)\?/, async (route) => {
    await held;
    await route.continue();
  });
  return release;
}

test("P1 H4 the buy page shows both of a product's pictures, and says SOLD OUT as soon as stock is below the minimum order", async ({
  person,
}) => {
  const admin = await person(PEOPLE.admin);
  const fields = {
    name: 'Gorai Twin',
    price: 4000,
    quantity: 2,
    minorder: 2,
    img1: '/casings/twinroom-2c.svg',
    img2: '/casings/twinroom-2c-rear.svg',
  };
  const { insertedId: id } = (await callAs(admin, 'POST', '/products', fields)) as { insertedId: string };
  const shopper = await person(PEOPLE.otherShopper);
  await shopper.goto(`/buypage/${id}`);
  await expect(shopper.getByRole('img', { name: 'Gorai Twin', exact: true })).toHaveAttribute('src', fields.img1);
  await shopper.getByRole('button', { name: 'Picture 2' }).click();
  const second = shopper.getByRole('img', { name: 'Gorai Twin, second picture' });
  await expect(second).toHaveAttribute('src', fields.img2);
  const width = () => second.evaluate((image) => (image instanceof HTMLImageElement ? image.naturalWidth : 0));
  await expect.poll(width).toBeGreaterThan(0);
  const form = shopper.getByRole('form', { name: 'Your order' });
  await expect(form.getByRole('button', { name: 'BUY NOW' })).toBeEnabled();
  const { version } = (await callAs(admin, 'GET', `/products/${id}`)) as ProductView;
  await callAs(admin, 'PUT', `/products/${id}`, { quantity: 1, version });
  await expect(form.getByRole('button', { name: 'SOLD OUT' })).toBeDisabled();
  await expect(form.getByRole('status')).toContainText('Only 1 left, and the minimum order is 2');
  await shopper.reload();
  await expect(form.getByRole('button', { name: 'SOLD OUT' })).toBeDisabled();
  await callAs(admin, 'DELETE', `/products/${id}`);
});

test("G1 G2 G4 an item's page has the item's name in its metadata, opens from the item's card, shows stock changes live, and returns 404 once the item is deleted", async ({
  page,
  person,
}) => {
  const admin = await person(PEOPLE.admin);
  const fields = {
    name: 'Teesta Duo',
    price: 4000,
    quantity: 9,
    minorder: 2,
    img1: '/casings/twinroom-2c.svg',
    img2: '/casings/twinroom-2c-rear.svg',
  };
  const { insertedId: id } = (await callAs(admin, 'POST', '/products', fields)) as { insertedId: string };
  const setStock = async (quantity: number) => {
    const { version } = (await callAs(admin, 'GET', `/products/${id}`)) as ProductView;
    await callAs(admin, 'PUT', `/products/${id}`, { quantity, version });
  };
  const served = await (await page.request.get(`/items/${id}`)).text();
  expect(served.match(/<title>[^<]*/g)).toEqual(['<title>Teesta Duo - Micro Center']);
  expect(served.match(/property="og:title" content="[^"]*"/g)).toEqual(['property="og:title" content="Teesta Duo"']);

  await page.goto('/allproducts?q=teesta');
  await card(page, 'Teesta Duo').getByRole('link', { name: 'Teesta Duo', exact: true }).click();
  await expect(page).toHaveURL(`/items/${id}`);
  await expect(page).toHaveTitle('Teesta Duo - Micro Center');
  await expect(liveDot(page)).toHaveText('Live');
  const stayed = await watchForReload(page);
  const item = page.getByRole('main').getByRole('article', { name: 'Teesta Duo' });
  await expect(item.getByRole('status')).toHaveText('9 in stock');
  await setStock(3);
  await expect(item.getByRole('status')).toHaveText('Only 3 left');
  await setStock(1);
  await expect(item.getByRole('status')).toHaveText('Sold out');
  await expect(item.getByRole('link', { name: 'See what is in stock' })).toBeVisible();
  await setStock(4);
  await item.getByRole('link', { name: 'Buy now: Teesta Duo' }).press('Enter');
  await expect(page).toHaveURL('/login');
  expect(await stayed()).toBe(true);

  await callAs(admin, 'DELETE', `/products/${id}`);
  const gone = await page.goto(`/items/${id}`);
  expect(gone?.status()).toBe(404);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('This item is not sold here');
  await expect(page.getByRole('region', { name: 'You may like one of these' }).getByRole('article')).toHaveCount(4);
});

test("G1 an item's page loads without layout shifts", async ({ page }) => {
  const [{ _id }] = (await (await page.request.get('/products')).json()) as [ProductView];
  for (const width of [390, 1280]) {
    const visited = await page.context().newPage();
    await visited.setViewportSize({ width, height: 800 });
    await watchShifts(visited);
    await visited.goto(`/items/${_id}`);
    await expect(visited.getByRole('region', { name: 'More like this' }).getByRole('article')).toHaveCount(4);
    await visited.waitForLoadState('networkidle');
    expect(await shiftsOf(visited), `${width} px`).toBeLessThan(0.02);
    await visited.close();
  }
});
