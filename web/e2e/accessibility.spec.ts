import type { Page } from '@playwright/test';
import axe from 'axe-core';
import { placePaid, sell } from './buying.fixture.ts';
import { callAs, expect, PEOPLE, test } from './shop.fixture.ts';

/** The pages to check, each with its rule ids. */
const VISITOR = [
  ['R1', '/'],
  ['R2', '/allproducts'],
  ['G1', '/items/:product'],
  ['G3', `/items/${'0'.repeat(32)}`],
  ['R3', '/blogs'],
  ['R4', '/login'],
  ['R5', '/signup'],
  ['R7', '/myportfolio'],
  ['R17', '/no/such/page'],
] as const;
const SHOPPER = [
  ['R1', '/'],
  ['R8 R9', '/dashboard/profile'],
  ['R6', '/buypage/:product'],
  ['R10', '/dashboard/addreview'],
  ['R11', '/dashboard/myorders'],
  ['R12', '/dashboard/payment/:order'],
  ['R24', '/dashboard/myorders/:order'],
] as const;
const ADMIN = [
  ['R1', '/'],
  ['R8 R9', '/dashboard/profile'],
  ['R13', '/dashboard/allUsers'],
  ['R14', '/dashboard/allorder'],
  ['R25', '/dashboard/money'],
  ['R15', '/dashboard/addproduct'],
  ['R16', '/dashboard/manageproduct'],
  ['R16', '/dashboard/manageproduct/:product'],
] as const;

const STANDARDS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const SIZES = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
];

/** Returns the violations that axe finds on the page in its current state, one entry per element. */
async function findings(page: Page): Promise<string[]> {
  for (const frame of page.frames()) {
    if (!(await frame.evaluate(() => 'axe' in window))) await frame.evaluate(axe.source);
  }
  // Returns only the violations, because sending the results of all passing elements would take most of the time.
  return page.evaluate(async (values) => {
    const { axe: inPage } = window as unknown as { axe: typeof axe };
    const { violations } = await inPage.run({ runOnly: { type: 'tag', values }, resultTypes: ['violations'] });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, any }) => `${id}: ${html.slice(0, 160)} ${any[0]?.message ?? ''}`),
    );
  }, STANDARDS);
}

/** Checks the open page at both screen sizes and in both colour schemes. Motion is reduced, so that no element is still fading in. */
async function expectAccessible(page: Page, what: string): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  for (const size of SIZES) {
    await page.setViewportSize(size);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme);
      expect(await findings(page), `${what}, ${colorScheme}, ${size.width} px`).toEqual([]);
    }
  }
  await page.setViewportSize({ width: 1280, height: 800 });
}

async function expectPageAccessible(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByRole('main').getByRole('status', { name: /^(Loading|Checking)/ })).toHaveCount(0);
  await expectAccessible(page, path);
}

async function firstProduct(page: Page): Promise<{ _id: string; name: string }> {
  const [product] = (await (await page.request.get('/products?inStock=true')).json()) as {
    _id: string;
    name: string;
  }[];
  if (product === undefined) throw new Error('The shop has no products.');
  return product;
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

/** Orders a product as the user signed in on `page`. Returns the order's id. */
async function placeOrder(page: Page, { _id, name }: { _id: string; name: string }): Promise<string> {
  const delivery = { name: 'Nusrat', email: PEOPLE.otherShopper.email, phone: '01711000000', address: 'House 7' };
  const { minorder } = (await callAs(page, 'GET', `/products/${_id}`)) as { minorder: number };
  const order = { ...delivery, product: name, productId: _id, quantity: minorder };
  const { insertedId } = (await callAs(page, 'POST', '/orders', order)) as { insertedId: string };
  return insertedId;
}

test.describe('axe', () => {
  // Each test checks a page four times, which is slow, so the tests are spread over all workers.
  test.describe.configure({ mode: 'parallel', timeout: 120_000 });

  for (const [rows, path] of VISITOR) {
    test(`${rows} the page at ${path} has no accessibility violations for a visitor`, async ({ page }) => {
      const product = path.includes(':product') ? await firstProduct(page) : undefined;
      await expectPageAccessible(page, path.replace(':product', product?._id ?? ''));
    });
  }

  for (const [rows, path] of SHOPPER) {
    test(`${rows} the page at ${path} has no accessibility violations for a shopper`, async ({ person }) => {
      const page = await person(PEOPLE.otherShopper);
      const product = await firstProduct(page);
      const order = path.includes(':order') ? await placeOrder(page, product) : '';
      await expectPageAccessible(page, path.replace(':product', product._id).replace(':order', order));
      if (order) await callAs(page, 'DELETE', `/orders/${order}`);
    });
  }

  for (const [rows, path] of ADMIN) {
    test(`${rows} the page at ${path} has no accessibility violations for an admin`, async ({ person }) => {
      const page = await person(PEOPLE.admin);
      const { _id } = await firstProduct(page);
      await expectPageAccessible(page, path.replace(':product', _id));
    });
  }

  test('K5 K6 a tracking page, the page of a withdrawn tracking link, and the control that shares an order have no accessibility violations', async ({
    person,
    page,
  }) => {
    const shopper = await person(PEOPLE.otherShopper);
    const order = await placeOrder(shopper, await firstProduct(shopper));
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
