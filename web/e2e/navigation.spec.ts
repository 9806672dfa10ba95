import type { Page } from '@playwright/test';
import type { ProductView } from '../../services/contracts/product/product-view.ts';
import { DEMO_PRODUCTS } from '../../services/demo/seed/goods.ts';
import { callAs, expect, PEOPLE, test } from './shop.fixture.ts';

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
  await shopper.goto('/');
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
