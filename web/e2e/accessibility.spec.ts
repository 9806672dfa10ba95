import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { callAs, expect, PEOPLE, test } from './shop.fixture.ts';

const OPEN = ['/', '/allproducts', '/blogs', '/login', '/signup', '/myportfolio', '/no/such/page'];
const CUSTOMER = ['/buypage/:product', '/dashboard/addreview', '/dashboard/myorders', '/dashboard/payment/:order'];
const ADMIN = ['allUsers', 'allorder', 'addproduct', 'manageproduct'].map((page) => `/dashboard/${page}`);
const SIGNED_IN = ['/', '/dashboard/profile'];

const STANDARDS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const SIZES = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
];

/** What axe finds on the page as it is, each with the elements that it is about. */
async function findings(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).withTags(STANDARDS).analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, any }) => `${id}: ${html.slice(0, 160)} ${any[0]?.message ?? ''}`),
  );
}

/** Looks at the page that is shown on both screens, in both colour schemes; nothing may move meanwhile. */
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

async function expectPagesAccessible(page: Page, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    await test.step(path, async () => {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(page.getByRole('main').getByRole('status', { name: /^(Loading|Checking)/ })).toHaveCount(0);
      await expectAccessible(page, path);
    });
  }
}

async function firstProduct(page: Page): Promise<{ _id: string; name: string }> {
  const [product] = (await (await page.request.get('/products?inStock=true')).json()) as {
    _id: string;
    name: string;
  }[];
  if (product === undefined) throw new Error('The shop has no products.');
  return product;
}

test.describe('axe has nothing to say', () => {
  test.setTimeout(180_000);

  test('R1 R2 R3 R4 R5 R7 R17 of the pages that a visitor sees', async ({ page }) => {
    await expectPagesAccessible(page, OPEN);
  });

  test('R6 R8 R9 R10 R11 R12 of the pages of a shopper', async ({ person }) => {
    const page = await person(PEOPLE.otherShopper);
    const { _id, name } = await firstProduct(page);
    const delivery = { name: 'Nusrat', email: PEOPLE.otherShopper.email, phone: '01711000000', address: 'House 7' };
    const order = { ...delivery, product: name, productId: _id };
    const { minorder } = (await callAs(page, 'GET', `/products/${_id}`)) as { minorder: number };
    const placed = await callAs(page, 'POST', '/orders', { ...order, quantity: minorder });
    const { insertedId } = placed as { insertedId: string };
    const paths = CUSTOMER.map((path) => path.replace(':product', _id).replace(':order', insertedId));
    await expectPagesAccessible(page, [...SIGNED_IN, ...paths]);
    await callAs(page, 'DELETE', `/orders/${insertedId}`);
  });

  test('R13 R14 R15 R16 of the pages of an admin', async ({ person }) => {
    const page = await person(PEOPLE.admin);
    const { _id } = await firstProduct(page);
    await expectPagesAccessible(page, [...SIGNED_IN, ...ADMIN, `/dashboard/manageproduct/${_id}`]);
  });

  test('R4 I3 of a refused sign-in, the mailbox and the Google dialog', async ({ page }) => {
    await page.goto('/login');
    const form = page.getByRole('form', { name: 'Sign in' });
    await form.getByLabel('Email').fill('nobody@shop.test');
    await form.getByRole('textbox', { name: 'Password' }).fill('not-the-password');
    await form.getByRole('button', { name: 'Sign in' }).click();
    await expect(page.getByRole('alert')).toBeVisible();
    await expectAccessible(page, 'a refused sign-in');
    await page.getByRole('button', { name: 'Open the demo mailbox' }).click();
    await expect(page.getByRole('dialog', { name: 'Demo mailbox' }).getByText('No mail yet')).toBeVisible();
    await expectAccessible(page, 'the demo mailbox');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Continue with Google' }).click();
    await expect(page.getByRole('dialog', { name: 'Choose a Google account' })).toBeVisible();
    await expectAccessible(page, 'the Google dialog');
  });

  test('R19 R20 of the folded menu and the drawer of a phone', async ({ person }) => {
    const page = await person(PEOPLE.otherShopper);
    // A drawer that is still fading in has no colours of its own yet.
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto('/dashboard/profile');
    await page.getByRole('button', { name: 'Open menu' }).click();
    expect(await findings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Close menu' }).click();
    await page.getByRole('button', { name: 'Dashboard menu' }).click();
    await expect(page.getByRole('dialog', { name: 'Dashboard' })).toBeVisible();
    expect(await findings(page)).toEqual([]);
  });
});
