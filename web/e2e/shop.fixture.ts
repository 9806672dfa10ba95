import { test as base, expect, type Page } from '@playwright/test';
import { freshDataDir, type ShopProcess, startShopProcess } from '../../services/e2e/shop-process.fixture.ts';
import { DEMO_ACCOUNTS, type DemoAccount } from '../../services/identity/demo-accounts.ts';

const [farhana, tanvir, nusrat] = DEMO_ACCOUNTS;
/** The demo accounts, by what they are for. */
export const PEOPLE = { admin: farhana, shopper: tanvir, otherShopper: nusrat };

interface Browsers {
  /** a signed-in person in a browser of their own */
  person: (account: DemoAccount) => Promise<Page>;
  /** somebody whom the shop does not know, in a browser of their own */
  visitor: () => Promise<Page>;
}

/** One shop per worker, as `npm start` runs it, on data of its own. */
export const test = base.extend<Browsers, { shop: ShopProcess }>({
  shop: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of a fixture's needs from this pattern
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
  visitor: async ({ browser, shop }, use) => {
    const close: (() => Promise<void>)[] = [];
    await use(async () => {
      const context = await browser.newContext({ baseURL: shop.url });
      close.push(() => context.close());
      return context.newPage();
    });
    for (const end of close) await end();
  },
  person: async ({ visitor }, use) => {
    await use(async (account) => {
      const page = await visitor();
      await signIn(page, account);
      return page;
    });
  },
});

/** Signs in through the form, as a person does. */
export async function signIn(page: Page, account: Pick<DemoAccount, 'email' | 'password'>): Promise<void> {
  await page.goto('/login');
  await fillSignIn(page, account);
  await expect(page.getByRole('button', { name: 'Sign out' })).toBeVisible();
}

/** Sends the form of the page that is open. */
export async function fillSignIn(
  page: Page,
  { email, password }: Pick<DemoAccount, 'email' | 'password'>,
): Promise<void> {
  const form = page.getByRole('form', { name: 'Sign in' });
  await form.getByLabel('Email').fill(email);
  await form.getByRole('textbox', { name: 'Password' }).fill(password);
  await form.getByRole('button', { name: 'Sign in' }).click();
}

/** A new account through the form on /signup. */
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

/** The API's access token that this browser keeps; null while nobody is signed in. */
export function tokenOf(page: Page): Promise<string | null> {
  return page.evaluate(() => localStorage.getItem('accessToken'));
}

/** One call of the API as whoever is signed in on `page`; it must be answered with success. */
export async function callAs(page: Page, method: string, path: string, data?: object): Promise<unknown> {
  const headers = { authorization: `Bearer ${await tokenOf(page)}` };
  const answer = await page.request.fetch(path, { method, headers, ...(data ? { data } : {}) });
  expect(answer.ok(), `${method} ${path}: ${answer.status()}`).toBe(true);
  return answer.json();
}

/** The words beside the live dot in the bar. */
export function liveDot(page: Page) {
  return page.getByRole('banner').getByRole('status');
}

/** Answers whether a page is still the document that it was when this was called. */
export async function watchForReload(page: Page): Promise<() => Promise<boolean>> {
  await page.evaluate(() => Object.assign(window, { stayed: true }));
  return () => page.evaluate(() => 'stayed' in window);
}

export { expect };
