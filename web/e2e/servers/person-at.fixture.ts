import { test as base, expect, type Page } from '@playwright/test';
import type { DemoAccount } from '../../../services/demo/identity/demo-accounts.ts';
import { signIn } from '../shop.fixture.ts';

interface Browsers {
  /** opens a page in its own browser context, at an address of the shop and signed in with this account */
  personAt: (address: string, account: DemoAccount) => Promise<Page>;
}

/** Playwright's `test` for a shop that has more than one address, or that a test starts itself. */
export const test = base.extend<Browsers>({
  personAt: async ({ browser }, use) => {
    const opened: Page[] = [];
    await use(async (address, account) => {
      const page = await (await browser.newContext({ baseURL: address })).newPage();
      opened.push(page);
      await signIn(page, account);
      return page;
    });
    for (const page of opened) await page.context().close();
  },
});

export { expect };
