import type { Page } from '@playwright/test';
import axe from 'axe-core';
import { placePaid, sell } from './buying.fixture.ts';
import { callAs, expect, PEOPLE, test } from './shop.fixture.ts';

interface Place {
  /** the ids of the rows that say what the page is for */
  rows: string;
  path: string;
  /** the part before ' - Micro Center', or a pattern for the whole title */
  title: string | RegExp;
  /** the page's only level 1 heading */
  heading: string | RegExp;
  /** the addresses that the browser reports as missing (404), sorted */
  missing?: readonly string[];
}

const NO_ID = '0'.repeat(32);

const VISITOR: Place[] = [
  { rows: 'R1', path: '/', title: 'Home', heading: /^Micro Center/ },
  { rows: 'R2', path: '/allproducts', title: 'All Items', heading: 'All Items' },
  { rows: 'R3', path: '/blogs', title: 'Blogs', heading: 'Blogs' },
  { rows: 'R4', path: '/login', title: 'Login', heading: 'Welcome to Micro Center' },
  { rows: 'R5', path: '/signup', title: 'Sign up', heading: 'Create an account' },
  { rows: 'R7', path: '/myportfolio', title: 'Portfolio', heading: 'Samira Anwar' },
  { rows: 'G1', path: '/items/:product', title: 'Norwester G7', heading: 'Norwester G7' },
  {
    rows: 'G3',
    path: `/items/${NO_ID}`,
    title: 'Item not found',
    heading: 'This item is not sold here',
    missing: [`/items/${NO_ID}`, `/products/${NO_ID}`],
  },
  {
    rows: 'R17',
    path: '/no/such/page',
    title: 'Page not found',
    heading: 'Oops! Page not found',
    missing: ['/no/such/page'],
  },
];
const SHOPPER: Place[] = [
  { rows: 'R1', path: '/', title: 'Home', heading: /^Micro Center/ },
  { rows: 'R6', path: '/buypage/:product', title: 'Norwester G7', heading: 'Norwester G7' },
  { rows: 'R8', path: '/dashboard', title: 'My orders', heading: 'My orders' },
  { rows: 'R9', path: '/dashboard/profile', title: 'Profile', heading: 'Profile' },
  { rows: 'R10', path: '/dashboard/addreview', title: 'Add a review', heading: 'Add a review' },
  { rows: 'R11', path: '/dashboard/myorders', title: 'My orders', heading: /my orders/i },
  { rows: 'R12', path: '/dashboard/payment/:order', title: 'Payment', heading: 'Payment' },
  {
    rows: 'R24',
    path: '/dashboard/myorders/:order',
    title: /^Order MC-\d+ - Micro Center$/,
    heading: 'Waiting for payment',
  },
];
const ADMIN: Place[] = [
  { rows: 'R1', path: '/', title: 'Home', heading: /^Micro Center/ },
  { rows: 'R9', path: '/dashboard/profile', title: 'Profile', heading: 'Profile' },
  { rows: 'R13', path: '/dashboard/allUsers', title: 'All Users', heading: 'All Users' },
  { rows: 'R14', path: '/dashboard/allorder', title: 'Manage Orders', heading: /manage orders/i },
  { rows: 'Q3', path: '/dashboard/slips', title: 'Packing slips', heading: 'Packing slips' },
  { rows: 'R25', path: '/dashboard/money', title: 'Money', heading: 'Money' },
  { rows: 'R15', path: '/dashboard/addproduct', title: 'Add Product', heading: 'Add Product' },
  { rows: 'R16', path: '/dashboard/manageproduct', title: 'Manage Product', heading: 'Manage Product' },
  { rows: 'R16', path: '/dashboard/manageproduct/:product', title: 'Edit Product', heading: 'Edit Product' },
];
const rowsOf = (places: Place[]) => [...new Set(places.map(({ rows }) => rows))].join(' ');

const STANDARDS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** The only rules that depend on colours. All other rules give the same result in both colour schemes. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];
const PHONE = { width: 390, height: 844 };
const DESK = { width: 1280, height: 800 };

/** Returns the violations that axe finds on the page in its current state, one entry per element. */
async function findings(page: Page, colorScheme: 'light' | 'dark' = 'light'): Promise<string[]> {
  for (const frame of page.frames()) {
    if (!(await frame.evaluate(() => 'axe' in window))) await frame.evaluate(axe.source);
  }
  const runOnly: axe.RunOnly =
    colorScheme === 'light' ? { type: 'tag', values: STANDARDS } : { type: 'rule', values: COLOUR_RULES };
  // Returns only the violations, because sending the results of all passing elements would take most of the time.
  return page.evaluate(async (only) => {
    const { axe: inPage } = window as unknown as { axe: typeof axe };
    const { violations } = await inPage.run({ runOnly: only, resultTypes: ['violations'] });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, any }) => `${id}: ${html.slice(0, 160)} ${any[0]?.message ?? ''}`),
    );
  }, runOnly);
}

/** Checks the open page at both screen sizes and in both colour schemes. Motion is reduced, so that no element is still fading in. */
async function expectAccessible(page: Page, what: string): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  for (const size of [PHONE, DESK]) {
    await page.setViewportSize(size);
    expect.soft(await sidewaysOf(page), `${what}: pixels wider than a ${size.width} px screen`).toBe(0);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme);
      expect.soft(await findings(page, colorScheme), `${what}, ${colorScheme}, ${size.width} px`).toEqual([]);
    }
  }
}

/** Opens a page on a phone, waits until it has loaded, and checks it at both screen sizes and in both colour schemes. */
async function expectPageAccessible(page: Page, path: string): Promise<void> {
  await page.setViewportSize(PHONE);
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
  await expect(page.getByRole('main').getByRole('status', { name: /^(Loading|Checking)/ })).toHaveCount(0);
  await expectAccessible(page, path);
}

const NOT_FOUND = 'console: Failed to load resource: the server responded with a status of 404 (Not Found)';

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

/**
 * Opens each page. Checks that the page has the right title and heading, causes no errors or warnings, is no wider than
 * the screen, and is accessible.
 */
async function visit(page: Page, places: readonly Place[], known: { product?: string; order?: string } = {}) {
  const complaints = complaintsOf(page);
  for (const { rows, path, title, heading, missing = [] } of places) {
    await test.step(`${rows} ${path}`, async () => {
      await expectPageAccessible(
        page,
        path.replace(':product', known.product ?? '').replace(':order', known.order ?? ''),
      );
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading);
      await expect(page).toHaveTitle(typeof title === 'string' ? `${title} - Micro Center` : title);
      const notFound = missing.map((address) => `404 ${new URL(address, page.url())}`);
      expect
        .soft(complaints.splice(0).sort(), `${rows} ${path}`)
        .toEqual([...notFound, ...missing.map(() => NOT_FOUND)]);
    });
  }
}

/** The number of pixels by which a page is wider than the screen. */
const sidewaysOf = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

interface Product {
  _id: string;
  name: string;
  minorder: number;
}

async function productNamed(page: Page, name: string): Promise<Product> {
  const products = (await (await page.request.get('/products')).json()) as Product[];
  const product = products.find((one) => one.name === name);
  if (product === undefined) throw new Error(`No product is named ${name}.`);
  return product;
}

/** Places an unpaid order as the demo's other shopper. The test must cancel it, so that no other test sees it. */
async function placeOrder(page: Page, { _id, name, minorder }: Product): Promise<string> {
  const delivery = { name: 'Nusrat Jahan', email: PEOPLE.otherShopper.email, phone: '01711000000', address: 'House 7' };
  const order = { ...delivery, product: name, productId: _id, quantity: minorder };
  const { insertedId } = (await callAs(page, 'POST', '/orders', order)) as { insertedId: string };
  return insertedId;
}

/**
 * Applies the text spacing of WCAG 1.4.12. Returns the elements of the drawer that are cut off, and also the page or
 * the drawer itself if it scrolls sideways.
 */
async function cutByWideText(page: Page): Promise<string[]> {
  const spacing = 'line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important';
  const style = await page.addStyleTag({ content: `* { ${spacing} }` });
  const cut = await page.evaluate(() => {
    const shown = [...document.querySelectorAll('[data-order-drawer] *')].filter(
      (element) => element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).overflowX === 'hidden',
    );
    const drawer = document.querySelector('[data-order-drawer]');
    const wide = [document.documentElement, drawer].filter((one) => one && one.scrollWidth > one.clientWidth);
    return [...shown, ...wide].map((element) => element?.outerHTML.slice(0, 160) ?? '');
  });
  await style.evaluate((element) => (element as HTMLStyleElement).remove());
  return cut;
}

test.describe('every page', () => {
  // Each of these tests is slow, so they are spread over all workers.
  test.describe.configure({ mode: 'parallel', timeout: 120_000 });

  const promise = 'opens with the right title, causes no errors, fits the screen and has no accessibility violations';

  test(`${rowsOf(VISITOR)} R18 R19 every public page ${promise}`, async ({ page }) => {
    await visit(page, VISITOR, { product: (await productNamed(page, 'Norwester G7'))._id });
    await page.goto('/allproducts');
    await page.getByRole('link', { name: /blogs/i }).last().click();
    await expect(page).toHaveURL(/\/blogs$/);
  });

  test(`${rowsOf(SHOPPER)} R18 R19 every shopper page ${promise}`, async ({ person }) => {
    const page = await person(PEOPLE.otherShopper);
    const order = await placeOrder(page, await productNamed(page, 'Trellis Open Frame'));
    await visit(page, SHOPPER, { product: (await productNamed(page, 'Norwester G7'))._id, order });
    await callAs(page, 'DELETE', `/orders/${order}`);
  });

  test(`${rowsOf(ADMIN)} R18 R19 every admin page ${promise}`, async ({ person }) => {
    const page = await person(PEOPLE.admin);
    await visit(page, ADMIN, { product: (await productNamed(page, 'Norwester G7'))._id });
  });

  test('K5 K6 a tracking page, the page of a withdrawn tracking link, and the control that shares an order have no accessibility violations', async ({
    person,
    page,
  }) => {
    const shopper = await person(PEOPLE.otherShopper);
    const order = await placeOrder(shopper, await productNamed(shopper, 'Trellis Open Frame'));
    await shopper.goto(`/dashboard/myorders/${order}`);
    await shopper.getByRole('button', { name: 'Share tracking link' }).click();
    const link = shopper.getByRole('textbox', { name: 'Tracking link' });
    await expect(link).toBeFocused();
    await expectAccessible(shopper, 'a shared order');
    const address = new URL(await link.inputValue()).pathname;
    await expectPageAccessible(page, address);
    await callAs(shopper, 'DELETE', `/orders/${order}`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Cancelled');
    await expectAccessible(page, 'a cancelled order');
    await callAs(shopper, 'DELETE', `/orders/${order}/tracking`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('This tracking link does not work');
    await expectAccessible(page, 'a link that has ended');
  });

  test("Q1 Q2 Q3 the board's order drawer and the packing slip have no accessibility violations, and the drawer's text is not cut off at 200 % zoom with wide text spacing", async ({
    person,
  }) => {
    const shopper = await person(PEOPLE.shopper);
    const admin = await person(PEOPLE.admin);
    const order = await placePaid(shopper, await sell(admin, 'Padma Drawer'), { product: 'Padma Drawer' });
    await admin.goto(`/dashboard/allorder?order=${order}`);
    const drawer = admin.locator('[data-order-drawer]');
    await expect(drawer.getByRole('list', { name: 'Everything that happened' })).toBeVisible();
    await expectAccessible(admin, 'the drawer');
    expect(await cutByWideText(admin)).toEqual([]);
    // The size of a 1280 x 800 window at 200 % zoom.
    await admin.setViewportSize({ width: 640, height: 400 });
    await expect(drawer.getByRole('button', { name: 'DELIVER' })).toBeVisible();
    // The drawer gets its narrow frame only after the page has noticed the new size.
    await expect.poll(() => cutByWideText(admin)).toEqual([]);
    await expectPageAccessible(admin, `/dashboard/slips?orders=${order}`);
  });

  test('R4 I3 the page after a failed sign-in, the demo mailbox and the Google dialog have no accessibility violations', async ({
    page,
  }) => {
    await page.goto('/login');
    const form = page.getByRole('form', { name: 'Sign in' });
    await form.getByLabel('Email').fill('nobody@shop.test');
    await form.getByRole('textbox', { name: 'Password' }).fill('not-the-password');
    await form.getByRole('button', { name: 'Sign in' }).click();
    await expect(page.getByRole('alert')).toBeVisible();
    await expectAccessible(page, 'a refused sign-in');
    await page.getByRole('button', { name: 'Open the demo mailbox' }).click();
    const mailbox = page.getByRole('dialog', { name: 'Demo mailbox' });
    await expect(mailbox.getByText('No mail yet').or(mailbox.getByRole('listitem').first())).toBeVisible();
    await expectAccessible(page, 'the demo mailbox');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Continue with Google' }).click();
    await expect(page.getByRole('dialog', { name: 'Choose a Google account' })).toBeVisible();
    await expectAccessible(page, 'the Google dialog');
  });

  test('R19 R20 on a phone, the open menu and the open drawer have no accessibility violations', async ({ person }) => {
    const page = await person(PEOPLE.otherShopper);
    // A drawer that is still fading in doesn't have its final colours yet.
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto('/dashboard/profile');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.getByRole('button', { name: 'Open menu' }).click();
    expect(await findings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Close menu' }).click();
    await page.getByRole('button', { name: 'Dashboard menu' }).click();
    await expect(page.getByRole('dialog', { name: 'Dashboard' })).toBeVisible();
    expect(await findings(page)).toEqual([]);
  });
});
