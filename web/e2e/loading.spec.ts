import type { Page } from '@playwright/test';
import { READY_DATA } from '../../services/contracts/prerendered-page.ts';
import type { ProductView } from '../../services/contracts/product/product-view.ts';
import { openShopServer } from '../../services/process/http-server.ts';
import { readConfig } from '../../services/runtime/config.ts';
import { callAs, expect, liveDot, PEOPLE, test, watchForReload } from './shop.fixture.ts';

/** Collects the names of the scripts that a page requests from now on. */
function scriptsOf(page: Page): string[] {
  const scripts: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.push(new URL(request.url()).pathname.replace(/^.*\//, ''));
  });
  return scripts;
}

/** Returns a page's cumulative layout shift while it loads, not counting shifts caused by user input. */
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

test('START2 a page that is opened while the shop starts opens by itself at the same address, even without JavaScript', async ({
  open,
}) => {
  const starting = await openShopServer(readConfig({ PORT: '0' }));
  const page = await open({ javaScriptEnabled: false });
  await page.goto(`${starting.origin}/items/1?from=mail#reviews`);
  await expect(page.getByRole('heading', { level: 1, name: 'The shop is starting' })).toBeVisible();
  await expect(page).toHaveTitle('The shop is starting - Micro Center');
  starting.answerWith(({ url }, response) => response.setHeader('Content-Type', 'text/html').end(`<h1>${url}</h1>`));
  await expect(page.getByRole('heading', { level: 1, name: '/items/1?from=mail' })).toBeVisible();
  await starting.close();
});

test('R1 R3 the home and blogs pages do not load the scripts for sign-in, payment or administration', async ({
  page,
}) => {
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

test("PAGE1 R1 R2 G1 the home, catalogue and item pages show products before any script has run, and hydration keeps the products' elements", async ({
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

test("PAGE1 P1 Y1 the buy and payment pages show their headings before any script has run, and hydration keeps the headings' elements", async ({
  open,
  person,
}) => {
  const without = await open({ javaScriptEnabled: false });
  const page = await person(PEOPLE.shopper);
  const [product] = (await (await page.request.get('/products?inStock=true')).json()) as ProductView[];
  if (!product) throw new Error('Nothing is in stock.');
  const { _id: productId, name, minorder: quantity } = product;
  const { email } = PEOPLE.shopper;
  const order = { name: 'Tanvir', email, phone: '01711000000', address: 'House 7', product: name, productId, quantity };
  const { insertedId } = (await callAs(page, 'POST', '/orders', order)) as { insertedId: string };
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  for (const { address, heading, comes } of [
    { address: `/buypage/${productId}`, heading: name, comes: page.getByRole('button', { name: 'BUY NOW' }) },
    { address: `/dashboard/payment/${insertedId}`, heading: 'Payment', comes: page.getByLabel('Card number') },
  ]) {
    const shown = (of: Page) => of.getByRole('heading', { level: 1, name: heading });
    await without.goto(address);
    await expect(shown(without)).toBeVisible();
    await page.goto(address, { waitUntil: 'commit' });
    const first = await shown(page).elementHandle();
    await expect(comes).toBeVisible();
    expect(await first?.evaluate((element) => element.isConnected), address).toBe(true);
    expect(complaints, address).toEqual([]);
  }
});

/** Holds back the requests that match `url`. Returns a function that releases them. */
async function hold(page: Page, url: string): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(url, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

/**
 * Opens the catalogue with its scripts held back, and scrolls down to its last card. `takenOver` lets the scripts load,
 * and waits until the client has hydrated the page.
 */
async function openUnheard(page: Page) {
  const release = await hold(page, '**/static/js/react.*');
  await page.goto('/allproducts', { waitUntil: 'commit' });
  // The HTML arrives in chunks, and this element comes after the last card.
  await page.locator(`#${READY_DATA}`).waitFor({ state: 'attached' });
  const link = page.getByRole('link', { name: /^Buy now/ }).last();
  await link.scrollIntoViewIfNeeded();
  // Starts watching inside the page now, because a locator used later would wait for any navigation in progress.
  const over = page.evaluate(
    (ready) =>
      new Promise<void>((resolve) => {
        const look = () => document.getElementById(ready) === null && resolve();
        new MutationObserver(look).observe(document.body, { childList: true });
      }),
    READY_DATA,
  );
  const takenOver = () => {
    release();
    return over;
  };
  return { link, takenOver };
}

test.describe('a click on a page whose scripts are still loading', () => {
  test('PAGE1 R2 a click far down the page works if the mouse button is pressed before hydration and released afterwards', async ({
    page,
  }) => {
    const { link, takenOver } = await openUnheard(page);
    const depth = await page.evaluate(() => window.scrollY);
    expect(depth).toBeGreaterThan(0);
    await link.hover();
    await page.mouse.down();
    await takenOver();
    expect(await page.evaluate(() => window.scrollY)).toBe(depth);
    await page.mouse.up();
    await expect(page.getByRole('form', { name: 'Sign in' })).toBeVisible();
  });

  test("PAGE1 R2 a click on a link works even if the page is hydrated before the shop has responded to the click's request", async ({
    page,
  }) => {
    const { link, takenOver } = await openUnheard(page);
    let answer = () => {};
    const asked = new Promise<void>((resolve) => {
      void page.route('**/buypage/*', async (route) => {
        resolve();
        await new Promise<void>((answered) => {
          answer = answered;
        });
        await route.continue();
      });
    });
    await link.click({ noWaitAfter: true });
    await asked;
    await takenOver();
    answer();
    await expect(page.getByRole('form', { name: 'Sign in' })).toBeVisible();
  });

  test('PAGE1 R2 a click works while React is hydrating the page', async ({ page }) => {
    // React adds its listeners to the root just before it starts hydrating the page.
    await page.addInitScript((ready) => {
      const listen = EventTarget.prototype.addEventListener;
      EventTarget.prototype.addEventListener = function (this: EventTarget, type: string, ...rest: unknown[]) {
        Reflect.apply(listen, this, [type, ...rest]);
        if (type !== 'click' || !(this instanceof Element) || this.id !== 'root' || 'early' in window) return;
        Object.assign(window, { early: null });
        setTimeout(() => {
          Object.assign(window, { early: document.getElementById(ready) !== null });
          document.querySelector<HTMLElement>('a[href^="/buypage/"]')?.click();
        });
      };
    }, READY_DATA);
    const { takenOver } = await openUnheard(page);
    const stayed = await watchForReload(page);
    await takenOver();
    await expect(page.getByRole('form', { name: 'Sign in' })).toBeVisible();
    expect(await page.evaluate(() => (window as unknown as { early: boolean }).early)).toBe(true);
    expect(await stayed()).toBe(true);
  });
});

test("PAGE1 R2 a search typed while the page's script is still loading filters the list", async ({ page }) => {
  const release = await hold(page, '**/static/js/all-products-page.*');
  // Hydration begins when the client looks up the page's root element.
  await page.addInitScript(() => {
    const find = document.getElementById.bind(document);
    document.getElementById = (id) => {
      if (id === 'root') Object.assign(window, { begun: true });
      return find(id);
    };
  });
  await page.goto('/allproducts', { waitUntil: 'commit' });
  await page.waitForFunction(() => 'begun' in window);
  await page.getByRole('searchbox', { name: 'Search products' }).fill('heron');
  release();
  await expect(page.getByRole('article')).toHaveCount(1);
});

test('PAGE1 R2 reloading a prerendered page or going back to it restores its scroll position', async ({ page }) => {
  await page.goto('/allproducts');
  const item = page.getByRole('article').last().getByRole('heading').getByRole('link');
  await item.scrollIntoViewIfNeeded();
  const depth = await page.evaluate(() => window.scrollY);
  expect(depth).toBeGreaterThan(0);
  await page.reload();
  await page.locator(`#${READY_DATA}`).waitFor({ state: 'detached' });
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(depth);
  await item.press('Enter');
  await expect(page).toHaveURL(/\/items\//);
  await page.goto('/docs', { waitUntil: 'load' });
  // Going back one entry at a time would load the item's page, and its client would then render the catalogue. Going
  // back two entries at once loads the catalogue itself. The timer lets `evaluate` return before the browser leaves the
  // page.
  await page.evaluate(() => void setTimeout(() => history.go(-2)));
  await expect(page).toHaveURL(/\/allproducts/);
  await page.locator(`#${READY_DATA}`).waitFor({ state: 'detached' });
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(depth);
});

test("R14 a shopper's browser does not load the scripts for administration", async ({ person }) => {
  const page = await person(PEOPLE.otherShopper);
  const scripts = scriptsOf(page);
  await page.goto('/dashboard/myorders');
  await expect(page.getByRole('heading', { level: 1, name: 'My orders' })).toBeVisible();
  expect(scripts.some((script) => script.startsWith('my-orders-page.'))).toBe(true);
  expect(scripts.filter((script) => /all-users|manage-|add-product|order-board/.test(script))).toEqual([]);
});

for (const width of [1280, 390]) {
  test(`AUTH4 R1 the home page, including the demo banner, loads without layout shifts at a width of ${width} px`, async ({
    page,
  }) => {
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
