import { test as base, expect, type Page } from '@playwright/test';
import type { DemoAccount } from '../../../services/demo/identity/demo-accounts.ts';
import { signIn } from '../shop.fixture.ts';

interface Browsers {
  /** a signed-in person in a browser of their own, at an address of the shop */
  personAt: (address: string, account: DemoAccount) => Promise<Page>;
}

/** For tests of a shop with more than one address, or one that they start themselves. */
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
