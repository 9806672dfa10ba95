import type { Page } from '@playwright/test';
import type { ProductView } from '../../services/contracts/views.ts';
import { DEMO_PRODUCTS } from '../../services/demo/seed/goods.ts';
import { callAs, expect, PEOPLE, test } from './shop.fixture.ts';

interface Place {
  path: string;
  /** the part before ' - Micro Center', or a pattern for the whole title */
  title: string | RegExp;
  /** the page's only level 1 heading */
  heading: string | RegExp;
  /** the page doesn't exist, so the browser reports a 404 */
  missing?: true;
}

const OPEN: Record<string, Place> = {
  R1: { path: '/', title: 'Home', heading: /^Micro Center/ },
  R2: { path: '/allproducts', title: 'All Items', heading: 'All Items' },
  R3: { path: '/blogs', title: 'Blogs', heading: 'Blogs' },
  R4: { path: '/login', title: 'Login', heading: 'Welcome to Micro Center' },
  R5: { path: '/signup', title: 'Sign up', heading: 'Create an account' },
  R7: { path: '/myportfolio', title: 'Portfolio', heading: 'Samira Anwar' },
  G1: { path: '/items/:product', title: 'Norwester G7', heading: 'Norwester G7' },
  R17: { path: '/no/such/page', title: 'Page not found', heading: 'Oops! Page not found', missing: true },
};
const SIGNED_IN: Record<string, Place> = {
  R6: { path: '/buypage/:product', title: 'Norwester G7', heading: 'Norwester G7' },
  R8: { path: '/dashboard', title: 'My orders', heading: 'My orders' },
  R9: { path: '/dashboard/profile', title: 'Profile', heading: 'Profile' },
  R10: { path: '/dashboard/addreview', title: 'Add a review', heading: 'Add a review' },
  R11: { path: '/dashboard/myorders', title: 'My orders', heading: /my orders/i },
  R12: { path: '/dashboard/payment/:order', title: 'Payment', heading: 'Payment' },
  R24: { path: '/dashboard/myorders/:order', title: /^Order MC-\d+ - Micro Center$/, heading: 'Waiting for payment' },
};
const ADMIN: Record<string, Place> = {
  R13: { path: '/dashboard/allUsers', title: 'All Users', heading: 'All Users' },
  R14: { path: '/dashboard/allorder', title: 'Manage Orders', heading: /manage orders/i },
  Q3: { path: '/dashboard/slips', title: 'Packing slips', heading: 'Packing slips' },
  R25: { path: '/dashboard/money', title: 'Money', heading: 'Money' },
  R15: { path: '/dashboard/addproduct', title: 'Add Product', heading: 'Add Product' },
  R16: { path: '/dashboard/manageproduct', title: 'Manage Product', heading: 'Manage Product' },
};

const NOT_FOUND = 'console: Failed to load resource: the server responded with a status of 404 (Not Found)';

const ids = (places: Record<string, Place>) => Object.keys(places).join(' ');

/** Collects the problems that a page doesn't show: console errors and warnings, uncaught errors, and failed requests. */
function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`uncaught: ${error.message}`));
  page.on('response', (answer) => {
    if (answer.status() >= 400) complaints.push(`${answer.status()} ${answer.url()}`);
  });
  page.on('requestfailed', (request) => {
    // Leaving a page aborts the requests that are still in flight.
    const why = request.failure()?.errorText;
    if (why !== 'net::ERR_ABORTED') complaints.push(`${why} ${request.url()}`);
  });
  return complaints;
}

/** Opens each page. Checks that it has the right title and heading, causes no errors or warnings, and fits the screen's width. */
async function visit(page: Page, places: Record<string, Place>, known: { product?: string; order?: string } = {}) {
  const complaints = complaintsOf(page);
  for (const [row, { path, title, heading, missing }] of Object.entries(places)) {
    await test.step(`${row} ${path}`, async () => {
      await page.goto(path.replace(':product', known.product ?? '').replace(':order', known.order ?? ''));
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading);
      await expect(page).toHaveTitle(typeof title === 'string' ? `${title} - Micro Center` : title);
      await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
      expect(complaints.splice(0).sort(), `${row} ${path}`).toEqual(missing ? [`404 ${page.url()}`, NOT_FOUND] : []);
      expect(await sidewaysOf(page), `${row} ${path} is wider than the screen, in pixels`).toBe(0);
    });
  }
}

/** The number of pixels by which a page is wider than the screen. */
const sidewaysOf = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

async function productNamed(page: Page, name: string): Promise<ProductView> {
  const products = (await (await page.request.get('/products')).json()) as ProductView[];
  const product = products.find((one) => one.name === name);
  if (product === undefined) throw new Error(`No product is named ${name}.`);
  return product;
}

/** Places an unpaid order as the demo's other shopper. The test must cancel it, so that no other test sees it. */
async function placeOrder(page: Page, { _id, name }: ProductView): Promise<string> {
  const delivery = { name: 'Nusrat Jahan', email: PEOPLE.otherShopper.email, phone: '01711000000', address: 'House 7' };
  const order = { ...delivery, product: name, productId: _id, quantity: 1 };
  const { insertedId } = (await callAs(page, 'POST', '/orders', order)) as { insertedId: string };
  return insertedId;
}

test(`${ids(OPEN)} R18 every public page opens for a visitor with the right title and without errors`, async ({
  page,
}) => {
  await visit(page, OPEN, { product: (await productNamed(page, 'Norwester G7'))._id });
  await page.goto('/allproducts');
  await page.getByRole('link', { name: /blogs/i }).last().click();
  await expect(page).toHaveURL(/\/blogs$/);
});

test(`${ids(SIGNED_IN)} R18 every shopper page opens with the right title and without errors`, async ({ person }) => {
  const page = await person(PEOPLE.otherShopper);
  const product = await productNamed(page, 'Norwester G7');
  const order = await placeOrder(page, await productNamed(page, 'Trellis Open Frame'));
  await visit(page, SIGNED_IN, { product: product._id, order });
  await callAs(page, 'DELETE', `/orders/${order}`);
});

test(`${ids(ADMIN)} R18 every admin page opens with the right title and without errors`, async ({ person }) => {
  await visit(await person(PEOPLE.admin), ADMIN);
});

test("R18 R19 no page for visitors, shoppers or admins is wider than a phone's screen", async ({ person, page }) => {
  const phone = { width: 390, height: 844 };
  const shopper = await person(PEOPLE.otherShopper);
  const admin = await person(PEOPLE.admin);
  const product = await productNamed(page, 'Norwester G7');
  const order = await placeOrder(shopper, product);
  for (const [who, places] of [
    [page, OPEN],
    [shopper, SIGNED_IN],
    [admin, ADMIN],
  ] as const) {
    await who.setViewportSize(phone);
    await visit(who, places, { product: product._id, order });
  }
  await callAs(shopper, 'DELETE', `/orders/${order}`);
});

test('A1 the whole order board, including the cancel button, fits on a screen that is 1280 px wide', async ({
  person,
}) => {
  const shopper = await person(PEOPLE.otherShopper);
  const order = await placeOrder(shopper, await productNamed(shopper, 'Banyan XL Full Tower'));
  const admin = await person(PEOPLE.admin);
  await admin.setViewportSize({ width: 1280, height: 800 });
  await admin.goto('/dashboard/allorder');
  const row = admin.getByRole('row').filter({ hasText: 'Banyan XL' }).first();
  await expect(row.getByRole('button', { name: /^Cancel order/ })).toBeInViewport({ ratio: 1 });
  // The last column stays in view while the others scroll, so also check that there is nothing to scroll.
  const beside = (table: Element) => (table.parentElement?.scrollWidth ?? 0) - (table.parentElement?.clientWidth ?? 0);
  expect(await admin.getByRole('table', { name: 'Orders' }).evaluate(beside)).toBe(0);
  await callAs(shopper, 'DELETE', `/orders/${order}`);
});

test('R19 the navigation bar lists the public pages, and then Login for a visitor, or Dashboard and Sign out for a signed-in user', async ({
  page,
  person,
}) => {
  const words = (who: Page) => who.getByRole('navigation', { name: 'Main' }).locator('a, button');
  await page.goto('/');
  await expect(words(page)).toHaveText(['Home', 'Products', 'Portfolio', 'Blogs', 'Login']);
  const shopper = await person(PEOPLE.otherShopper);
  await expect(words(shopper)).toHaveText(['Home', 'Products', 'Portfolio', 'Blogs', 'Dashboard', 'Sign out']);
});

test('R19 on a phone, a button expands the navigation bar, and choosing a page collapses it again', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/');
  const products = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Products' });
  await expect(page.getByRole('button', { name: 'Open menu' })).toBeVisible();
  await expect(products).toBeHidden();
  await page.getByRole('button', { name: 'Open menu' }).click();
  await products.click();
  await expect(page).toHaveURL(/\/allproducts$/);
  await expect(products).toBeHidden();
});

test('R8 R20 the dashboard drawer lists different pages for shoppers and admins, and a button opens the drawer on a phone', async ({
  person,
}) => {
  const links = (who: Page) => who.getByRole('navigation', { name: 'Dashboard' }).getByRole('link');
  const shopper = await person(PEOPLE.otherShopper);
  await shopper.goto('/dashboard');
  await expect(links(shopper)).toHaveText(['Profile', 'My orders', 'Add a review']);
  const admin = await person(PEOPLE.admin);
  await admin.setViewportSize({ width: 390, height: 844 });
  await admin.goto('/dashboard');
  // The drawer closes when the page changes, so wait for the redirect from /dashboard to its first page.
  await expect(admin).toHaveURL(/\/dashboard\/allorder$/);
  await expect(links(admin)).toHaveCount(0);
  await admin.getByRole('button', { name: 'Dashboard menu' }).click();
  await expect(links(admin)).toHaveText([
    'Profile',
    'Add Product',
    'Manage Product',
    'Manage Orders',
    'Money',
    'All Users',
  ]);
  await links(admin).filter({ hasText: 'All Users' }).click();
  await expect(admin).toHaveURL(/\/dashboard\/allUsers$/);
  await expect(links(admin)).toHaveCount(0);
});

test('H4 R2 every product in the demo shop has a picture that loads', async ({ page }) => {
  await page.goto('/allproducts');
  for (const { name } of DEMO_PRODUCTS) {
    const card = page.getByRole('article', { name, exact: true });
    await card.scrollIntoViewIfNeeded();
    const picture = card.getByRole('img', { name });
    const width = () => picture.evaluate((image) => (image instanceof HTMLImageElement ? image.naturalWidth : 0));
    await expect.poll(width, { message: `the picture of ${name}` }).toBeGreaterThan(0);
  }
});
