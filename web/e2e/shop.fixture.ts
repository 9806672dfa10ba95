import { type Browser, test as base, expect, type Page } from '@playwright/test';
import { freshDataDir, type ShopProcess, startShopProcess } from '../../services/e2e/shop-process.fixture.ts';
import { DEMO_ACCOUNTS, type DemoAccount } from '../../services/identity/demo-accounts.ts';

const [farhana, tanvir, nusrat] = DEMO_ACCOUNTS;
/** The demo accounts, by what they are for. */
export const PEOPLE = { admin: farhana, shopper: tanvir, otherShopper: nusrat };

/** A card that pays without a question. */
export const GOOD_CARD = '4242 4242 4242 4242';

/** One shop per worker, as `npm start` runs it, on data of its own. */
export const test = base.extend<{ person: (account: DemoAccount) => Promise<Page> }, { shop: ShopProcess }>({
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
    { scope: 'worker', timeout: 120_000 },
  ],
  baseURL: async ({ shop }, use) => {
    await use(shop.url);
  },
  /** A signed-in person in a browser of their own. */
  person: async ({ browser, shop }, use) => {
    const close: (() => Promise<void>)[] = [];
    await use(async (account) => {
      const page = await openBrowser(browser, shop.url);
      close.push(() => page.context().close());
      await signIn(page, account);
      return page;
    });
    for (const end of close) await end();
  },
});

async function openBrowser(browser: Browser, baseURL: string): Promise<Page> {
  const context = await browser.newContext({ baseURL });
  return context.newPage();
}

/** Signs in through the form, as a person does. */
export async function signIn(page: Page, { email, password }: Pick<DemoAccount, 'email' | 'password'>): Promise<void> {
  await page.goto('/login');
  const form = page.getByRole('form', { name: 'Sign in' });
  await form.getByLabel('Email').fill(email);
  await form.getByRole('textbox', { name: 'Password' }).fill(password);
  await form.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('button', { name: 'Sign out' })).toBeVisible();
}

export { expect };
