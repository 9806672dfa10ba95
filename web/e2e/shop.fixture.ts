import { type BrowserContext, type BrowserContextOptions, test as base, expect, type Page } from '@playwright/test';
import { READY_DATA } from '../../services/contracts/prerendered-page.ts';
import { DEMO_ACCOUNTS, type DemoAccount } from '../../services/demo/identity/demo-accounts.ts';
import { freshDataDir, type ShopProcess, startShopProcess } from '../../services/whole-shop/shop-process.fixture.ts';
import { Contexts } from './contexts.fixture.ts';

const [farhana, tanvir, nusrat] = DEMO_ACCOUNTS;
/** The demo accounts, keyed by their role in the tests. */
export const PEOPLE = { admin: farhana, shopper: tanvir, otherShopper: nusrat };

interface Browsers {
  /** opens a page in a new browser context, with nothing cached */
  open: (options?: BrowserContextOptions) => Promise<Page>;
  /** opens a page in a browser context that earlier tests may have used, signed in as this person if they have signed in before */
  lend: (email?: string) => Promise<Page>;
  /** opens a page in its own browser context, signed in with this account; the test goes to the first address itself */
  person: (account: DemoAccount) => Promise<Page>;
  /** opens a page in its own browser context, signed out */
  visitor: () => Promise<Page>;
}

interface Worker {
  /** a shop as `npm start` runs it, with its own data folder */
  shop: ShopProcess;
  contexts: Contexts;
}

/** Playwright's `test`, with one shop per worker. */
export const test = base.extend<Browsers, Worker>({
  shop: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's dependencies from this pattern
    async ({}, use) => {
      const data = freshDataDir();
      const shop = await startShopProcess(data.path);
      await use(shop);
      const { code, tookMs } = await shop.stop();
      data.remove();
      expect(code).toBe(0);
      expect(tookMs).toBeLessThan(10_000);
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  baseURL: async ({ shop }, use) => {
    await use(shop.url);
  },
  contexts: [async ({ browser, shop }, use) => use(new Contexts(browser, shop.url)), { scope: 'worker' }],
  page: async ({ visitor }, use) => use(await visitor()),
  open: async ({ browser, shop }, use) => {
    const opened: BrowserContext[] = [];
    await use(async (options) => {
      const context = await browser.newContext({ baseURL: shop.url, ...options });
      opened.push(context);
      const page = await context.newPage();
      return options?.javaScriptEnabled === false ? page : takenOver(page);
    });
    for (const context of opened) await context.close();
  },
  lend: async ({ contexts }, use) => {
    const lent: { email: string; page: Page }[] = [];
    await use(async (email = '') => {
      const page = await contexts.open(email);
      lent.push({ email, page });
      return takenOver(page);
    });
    for (const { email, page } of lent) await contexts.giveBack(email, page);
  },
  visitor: async ({ lend }, use) => use(() => lend()),
  // Each person signs in through the form only once.
  person: async ({ lend, contexts }, use) =>
    use(async (account) => {
      const page = await lend(account.email);
      if (!contexts.hasSignedIn(account.email)) {
        await signIn(page, account);
        await contexts.keepSignIn(account.email, page);
      }
      return page;
    }),
});

/**
 * Makes `page.goto()` wait until the client has hydrated the prerendered HTML. Until then, a click on a link would
 * reload the whole document.
 */
function takenOver(page: Page): Page {
  const goto = page.goto.bind(page);
  page.goto = async (url, options) => {
    const answer = await goto(url, options);
    if (options?.waitUntil === undefined) await page.locator(`#${READY_DATA}`).waitFor({ state: 'detached' });
    return answer;
  };
  return page;
}

/** Signs in through the form, as a person does. */
export async function signIn(page: Page, account: Pick<DemoAccount, 'email' | 'password'>): Promise<void> {
  await page.goto('/login');
  await fillSignIn(page, account);
  await expect(page.getByRole('button', { name: 'Sign out' })).toBeVisible();
}

/** Fills in and submits the sign-in form on the open page. */
export async function fillSignIn(
  page: Page,
  { email, password }: Pick<DemoAccount, 'email' | 'password'>,
): Promise<void> {
  const form = page.getByRole('form', { name: 'Sign in' });
  await form.getByLabel('Email').fill(email);
  await form.getByRole('textbox', { name: 'Password' }).fill(password);
  await form.getByRole('button', { name: 'Sign in' }).click();
}

/** Registers a new account through the form at /signup. */
export async function register(
  page: Page,
  { name, email, password }: Omit<DemoAccount, 'uid' | 'role'>,
): Promise<void> {
  await page.goto('/signup');
  const form = page.getByRole('form', { name: 'Create an account' });
  await form.getByLabel('Username').fill(name);
  await form.getByLabel('Email').fill(email);
  await form.getByRole('textbox', { name: 'Password' }).fill(password);
  await form.getByRole('button', { name: 'Register' }).click();
  await expect(page.getByRole('button', { name: 'Sign out' })).toBeVisible();
}

/** Returns the API access token stored in this browser, or null if nobody is signed in. */
export function tokenOf(page: Page): Promise<string | null> {
  return page.evaluate(() => localStorage.getItem('accessToken'));
}

/** Calls the API as the user signed in on `page`. The call must succeed. */
export async function callAs(page: Page, method: string, path: string, data?: object): Promise<unknown> {
  const headers = { authorization: `Bearer ${await tokenOf(page)}`, 'content-type': 'application/json' };
  const body = data && JSON.stringify(data);
  // The browser's own `page.request` would take several times as much CPU time.
  const answer = await fetch(new URL(path, page.url()), { method, headers, ...(body && { body }) });
  expect(answer.ok, `${method} ${path}: ${answer.status}`).toBe(true);
  return answer.json();
}

/** Locates the text next to the live dot in the navigation bar. */
export function liveDot(page: Page) {
  return page.getByRole('banner').getByRole('status');
}

/** Returns a function that returns true as long as the page hasn't been reloaded. */
export async function watchForReload(page: Page): Promise<() => Promise<boolean>> {
  await page.evaluate(() => Object.assign(window, { stayed: true }));
  return () => page.evaluate(() => 'stayed' in window);
}

export { expect };
