import type { Browser, BrowserContext, Page } from '@playwright/test';

type State = Awaited<ReturnType<BrowserContext['storageState']>>;

/**
 * Browser contexts that tests use one after the other. A used context has the shop's scripts in its cache, already
 * compiled, so that opening a page in it takes half the processor time. Everything else that a test left in a context is
 * removed before the next test gets the context.
 */
export class Contexts {
  private readonly browser: Browser;
  private readonly origin: string;
  /** what the browser stored when each person signed in, keyed by e-mail address */
  private readonly states = new Map<string, State>();
  /** the unused contexts of each person, and under '' those in which nobody is signed in */
  private readonly unused = new Map<string, BrowserContext[]>();

  /** `origin` is the shop's address. */
  constructor(browser: Browser, origin: string) {
    this.browser = browser;
    this.origin = origin;
  }

  /**
   * Opens a page in a context of its own, which the test must give back. If this person has signed in before, the person
   * is signed in, and the page shows a small text of the shop. Otherwise, nobody is signed in, and the page is empty.
   */
  async open(email = ''): Promise<Page> {
    const state = this.states.get(email);
    const used = this.unused.get(state ? email : '')?.pop();
    const context =
      used ?? (await this.browser.newContext({ baseURL: this.origin, ...(state && { storageState: state }) }));
    const page = await context.newPage();
    if (!state) await this.clear(page);
    else if (!(await restored(page, state))) {
      await context.close();
      return this.open(email);
    }
    return page;
  }

  /** Returns true if this person has signed in before. */
  hasSignedIn(email: string): boolean {
    return this.states.has(email);
  }

  /** Keeps what the browser stored when this person signed in on the page. */
  async keepSignIn(email: string, page: Page): Promise<void> {
    this.states.set(email, await page.context().storageState({ indexedDB: true }));
  }

  /** Takes back the context of a page that `open(email)` opened. */
  async giveBack(email: string, page: Page): Promise<void> {
    const context = page.context();
    await context.setOffline(false);
    for (const open of context.pages()) await open.close();
    const key = this.states.has(email) ? email : '';
    this.unused.set(key, [...(this.unused.get(key) ?? []), context]);
  }

  private async clear(page: Page): Promise<void> {
    const session = await page.context().newCDPSession(page);
    const storageTypes = 'cookies,indexeddb,local_storage,service_workers';
    await session.send('Storage.clearDataForOrigin', { origin: this.origin, storageTypes });
    await session.detach();
  }
}

/** Stores again what a person's sign-in stored. Returns false if somebody else, or nobody, is signed in by now. */
async function restored(page: Page, state: State): Promise<boolean> {
  await page.goto('/healthz');
  return page.evaluate((entries) => {
    const subjectOf = (token?: string | null) => token && JSON.parse(atob(token.split('.')[1] ?? '')).sub;
    const token = entries.find(({ name }) => name === 'accessToken')?.value;
    if (subjectOf(localStorage.getItem('accessToken')) !== subjectOf(token)) return false;
    localStorage.clear();
    for (const { name, value } of entries) localStorage.setItem(name, value);
    return true;
  }, state.origins[0]?.localStorage ?? []);
}
