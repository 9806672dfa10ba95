import type { Page } from '@playwright/test';
import type { ProductView } from '../../services/contracts/views.ts';
import { expect, liveDot, PEOPLE, test } from './shop.fixture.ts';

/** The names of the scripts that a page asks for from now on. */
function scriptsOf(page: Page): string[] {
  const scripts: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.push(new URL(request.url()).pathname.replace(/^.*\//, ''));
  });
  return scripts;
}

/** How far a page's parts have moved by themselves while it loaded: its cumulative layout shift. */
async function shiftOf(page: Page, path: string, shown: () => Promise<unknown>): Promise<number> {
  await page.addInitScript(() => {
    Object.assign(window, { shift: 0 });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { value, hadRecentInput } = entry as PerformanceEntry & { value: number; hadRecentInput: boolean };
        if (!hadRecentInput) Object.assign(window, { shift: (window as unknown as { shift: number }).shift + value });
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await page.goto(path);
  await shown();
  return page.evaluate(() => (window as unknown as { shift: number }).shift);
}

test('R1 R3 a visitor loads no script of sign-in, payment or administration', async ({ page }) => {
  const scripts = scriptsOf(page);
  const elsewhere = /firebase|stripe|payment|checkout|all-users|manage-|add-product|order-board|demo-mailbox/;
  await page.goto('/');
  await expect(liveDot(page)).toHaveText('Live');
  await page.goto('/blogs');
  await expect(liveDot(page)).toHaveText('Live');
  expect(scripts.some((script) => script.startsWith('home-page.'))).toBe(true);
  expect(scripts.filter((script) => elsewhere.test(script))).toEqual([]);
  await page.goto('/login');
  await expect.poll(() => scripts.some((script) => script.startsWith('firebase-auth.'))).toBe(true);
});

test('PAGE1 R1 R2 G1 a page shows what the shop has before any script has run, and afterwards the same', async ({
  page,
  open,
}) => {
  const without = await open({ javaScriptEnabled: false });
  const first = (shown: Page) => shown.getByRole('article').first();
  for (const path of ['/', '/allproducts', '/items/:id']) {
    const [product] = (await (await page.request.get('/products?sort=newest')).json()) as ProductView[];
    const address = path.replace(':id', product?._id ?? '');
    await without.goto(address);
    await expect(first(without)).toContainText(product?.name ?? '');
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    await page.goto(address, { waitUntil: 'commit' });
    const card = await first(page).elementHandle();
    await expect(liveDot(page)).toHaveText('Live');
    expect(await card?.evaluate((element) => element.isConnected), address).toBe(true);
    expect(complaints, address).toEqual([]);
  }
});

test('R14 a shopper loads no script of the administration', async ({ person }) => {
  const page = await person(PEOPLE.otherShopper);
  const scripts = scriptsOf(page);
  await page.goto('/dashboard/myorders');
  await expect(page.getByRole('heading', { level: 1, name: 'My orders' })).toBeVisible();
  expect(scripts.some((script) => script.startsWith('my-orders-page.'))).toBe(true);
  expect(scripts.filter((script) => /all-users|manage-|add-product|order-board/.test(script))).toEqual([]);
});

for (const width of [1280, 390]) {
  test(`AUTH4 R1 nothing moves by itself while a page comes, demo banner and all, at ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height: 800 });
    const banner = page.getByText('Demo shop: no real money, no real goods.');
    const shift = await shiftOf(page, '/', async () => {
      await expect(page.getByRole('article').first()).toBeVisible();
      await expect(banner).toBeVisible();
      await expect(liveDot(page)).toHaveText('Live');
    });
    expect(shift).toBeLessThan(0.02);
  });
}
