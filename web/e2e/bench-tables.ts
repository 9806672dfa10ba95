import { writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { type Browser, type CDPSession, chromium, type Page } from '@playwright/test';
import { z } from 'zod';
import { createdSchema } from '../../services/contracts/answers.ts';
import { orderViewSchema } from '../../services/contracts/order/order-view.ts';
import { DEMO_ACCOUNTS, type DemoAccount } from '../../services/demo/identity/demo-accounts.ts';
import { placeOrders } from '../../services/whole-shop/benchmarks/place-orders.ts';
import { median, quantile } from '../../services/whole-shop/benchmarks/statistics.ts';
import {
  addProduct,
  caughtUp,
  orderOf,
  type Person,
  passwordIdToken,
  signIn,
} from '../../services/whole-shop/shop-client.fixture.ts';
import { freshDataDir, startShopProcess } from '../../services/whole-shop/shop-process.fixture.ts';
import { browserSettings } from './browser-settings.ts';

const ORDERS = z.coerce.number().int().positive().default(100_000).parse(process.env.ORDERS);
const PRODUCTS = 100;
const PUSHES = 100;
/** How long each single push is measured, in ms. The highlight of an earlier push also ends within this time. */
const PUSH_WINDOW = 300;
const SINGLE_PUSHES = 40;
/** How far to scroll in total and in each frame, in pixels. */
const DISTANCE = 40_000;
const STEP = 80;
/** The time limit for loading all rows, in ms. */
const LOADED_WITHIN = 600_000;
/** The longest time between two frames, in ms, that doesn't count as a dropped frame. */
const LATE = 25;
const RESULTS = fileURLToPath(new URL('../../services/whole-shop/benchmarks/RESULTS-tables.md', import.meta.url));

const print = (line: string) => process.stdout.write(`${line}\n`);
const [adminAccount, shopperAccount] = DEMO_ACCOUNTS;

async function main(): Promise<void> {
  const data = freshDataDir();
  const shop = await startShopProcess(data.path, { DEMO_DATA: '1' });
  const browser = await chromium.launch(browserSettings('none.json').use?.launchOptions);
  try {
    const admin = await personAt(shop.url, adminAccount);
    const buyer = await personAt(shop.url, shopperAccount);
    const products: string[] = [];
    for (let n = 0; n < PRODUCTS; n += 1) products.push(await addProduct(admin, { quantity: 1_000_000 }));
    print(`Placing ${ORDERS} orders ...`);
    const load = { urls: [shop.url], buyers: [buyer], products, atOnce: 64, amount: { requests: ORDERS } };
    const { placed, perSecond } = await placeOrders(load);
    if (placed < ORDERS) throw new Error(`Only ${placed} of ${ORDERS} orders were placed.`);
    print(`... at ${perSecond.toFixed(0)} a second.`);
    // Waits, because pushes that are still pending would be measured as part of the page's idle work.
    await caughtUp(shop.url);
    let latest = '';
    const place = async () => {
      latest = await order(buyer, products[0] ?? '');
    };
    const arrived = async (page: Page) => {
      const { number } = orderViewSchema.parse((await admin.call('GET', `/orders/${latest}`)).body);
      await page.getByRole('button', { name: `Open order ${number}`, exact: true }).waitFor();
    };
    await report(await measure(browser, shop.url, place, arrived));
  } finally {
    await browser.close();
    await shop.stop();
    data.remove();
  }
}

async function personAt(url: string, { email, password }: DemoAccount): Promise<Person> {
  return signIn(url, email, await passwordIdToken(url, email, password));
}

/** Places an order and returns its id. @throws Error if the order is refused */
async function order(buyer: Person, productId: string): Promise<string> {
  const answer = await buyer.call('POST', '/orders', orderOf(buyer, productId));
  if (answer.status !== 201) throw new Error(`The order was not placed: ${answer.status}`);
  return createdSchema.parse(answer.body).insertedId;
}

type Row = readonly [what: string, figure: string];

/**
 * Takes all measurements, and returns them as the rows of the results table. `arrived` waits until the board shows the
 * latest order. Without that wait, pushes that never arrive would look cheap.
 */
async function measure(
  browser: Browser,
  url: string,
  place: () => Promise<void>,
  arrived: (page: Page) => Promise<void>,
): Promise<Row[]> {
  const floor = await scrolled(await tallPage(browser), DISTANCE);
  const page = await browser.newPage({ baseURL: url, viewport: { width: 1280, height: 800 } });
  const cdp = await page.context().newCDPSession(page);
  // Measures CPU time rather than elapsed time, because other work on the machine doesn't affect CPU time.
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
  await signInAt(page, adminAccount);

  const rows: Row[] = [['Floor: an empty page of the same length is scrolled', frames(floor)]];
  const opened: number[] = [];
  for (let round = 0; round < 5; round += 1) opened.push(await openBoard(page));
  rows.push(['From opening /dashboard/allorder to its first rows', `${median(opened).toFixed(0)} ms`]);
  rows.push(['JavaScript heap with the first page of rows', megabytes(await heap(cdp))]);
  const first = await loaded(page);
  rows.push(['Floor: a script alone enters such a row, one at a time', await singly(page, cdp, await bareRows(page))]);
  await openBoard(page);
  rows.push([`A push into ${first} loaded rows, at the top`, await pushed(page, cdp, place)]);
  await arrived(page);
  rows.push([`The same, one push at a time`, await singly(page, cdp, place)]);
  await arrived(page);
  rows.push(['The first rows are scrolled, pages are fetched on the way', frames(await scrolled(page, DISTANCE))]);

  const began = performance.now();
  const count = await loadAll(page);
  if (count < ORDERS) throw new Error(`The board holds ${count} orders, not ${ORDERS}.`);
  rows.push([`All ${count} rows are loaded by scrolling to the end`, `${seconds(performance.now() - began)} s`]);
  rows.push([`JavaScript heap with ${count} rows`, megabytes(await heap(cdp))]);
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight / 2));
  rows.push([`The middle of ${count} rows is scrolled`, frames(await scrolled(page, DISTANCE))]);
  rows.push([`The same while orders come`, frames(await scrolledUnderPushes(page, place))]);
  rows.push([`A push into ${count} loaded rows, in the middle`, await pushed(page, cdp, place)]);
  await page.evaluate(() => window.scrollTo(0, 0));
  await arrived(page);
  rows.push([`A push into ${count} loaded rows, at the top`, await pushed(page, cdp, place)]);
  await arrived(page);
  rows.push([`The same, one push at a time`, await singly(page, cdp, place)]);
  await arrived(page);
  return rows;
}

async function tallPage(browser: Browser): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.setContent(`<div style="height: ${2 * DISTANCE}px"></div>`);
  return page;
}

async function signInAt(page: Page, { email, password }: DemoAccount): Promise<void> {
  await page.goto('/login');
  const form = page.getByRole('form', { name: 'Sign in' });
  await form.getByLabel('Email').fill(email);
  await form.getByRole('textbox', { name: 'Password' }).fill(password);
  await form.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
}

const firstRow = (page: Page) => page.getByRole('table', { name: 'Orders' }).locator('tr[data-index="0"]');

async function openBoard(page: Page): Promise<number> {
  const began = performance.now();
  await page.goto('/dashboard/allorder');
  await firstRow(page).waitFor();
  return performance.now() - began;
}

/** The number of loaded rows, including those that aren't rendered. */
async function loaded(page: Page): Promise<number> {
  const text = await page.getByText(/^The newest \d+$/).textContent();
  return Number(text?.replace(/\D/g, ''));
}

/** Keeps scrolling to the end until all rows are loaded. Returns their number. @throws Error after LOADED_WITHIN */
function loadAll(page: Page): Promise<number> {
  return page.evaluate(async (within) => {
    const deadline = performance.now() + within;
    while (performance.now() < deadline) {
      window.scrollTo(0, document.documentElement.scrollHeight);
      await new Promise(requestAnimationFrame);
      const count = Number(document.querySelector('[role=table]')?.getAttribute('aria-rowcount'));
      if (count > 0) return count - 1;
    }
    throw new Error('The end of the rows was not reached in time.');
  }, LOADED_WITHIN);
}

/** Scrolls down from the current position. Returns the times between frames, in ms. @throws Error if the page is too short */
function scrolled(page: Page, distance: number): Promise<number[]> {
  return page.evaluate(
    async ({ distance, step }) => {
      const deltas: number[] = [];
      const end = window.scrollY + distance;
      let before = await new Promise<number>(requestAnimationFrame);
      while (window.scrollY < end) {
        window.scrollBy(0, step);
        const now = await new Promise<number>(requestAnimationFrame);
        deltas.push(now - before);
        before = now;
        if (deltas.length > (10 * distance) / step) throw new Error(`The page is too short to scroll ${distance} px.`);
      }
      return deltas;
    },
    { distance, step: STEP },
  );
}

function frames(deltas: readonly number[]): string {
  const late = deltas.filter((delta) => delta > LATE).length;
  const worst = Math.max(...deltas);
  return `${late} of ${deltas.length} frames later than ${LATE} ms, p99 ${quantile(deltas, 0.99).toFixed(1)} ms, worst ${worst.toFixed(0)} ms`;
}

async function metric(cdp: CDPSession, name: string): Promise<number> {
  const { metrics } = await cdp.send('Performance.getMetrics');
  return metrics.find((one) => one.name === name)?.value ?? Number.NaN;
}

async function heap(cdp: CDPSession): Promise<number> {
  await cdp.send('HeapProfiler.collectGarbage');
  return metric(cdp, 'JSHeapUsedSize');
}

/** Returns the main thread's CPU time per push, minus the CPU time that the idle page uses in a period of the same length. */
async function pushed(page: Page, cdp: CDPSession, place: () => Promise<void>): Promise<string> {
  const busy = () => metric(cdp, 'TaskDuration');
  const [from, began] = [await busy(), performance.now()];
  for (let n = 0; n < PUSHES; n += 1) await place();
  await page.evaluate(() => new Promise(requestAnimationFrame));
  const [spent, took] = [(await busy()) - from, performance.now() - began];
  const idleFrom = await busy();
  await page.waitForTimeout(took);
  const idle = (await busy()) - idleFrom;
  return `${(((spent - idle) / PUSHES) * 1000).toFixed(1)} ms of the main thread's processor time (${PUSHES} orders in ${seconds(took)} s)`;
}

/**
 * Returns a function that changes the DOM as a push does, but without the client: it inserts a copy of the first row at
 * the top, moves the rows down, and removes the last one.
 */
async function bareRows(page: Page): Promise<() => Promise<void>> {
  await page.evaluate(() => {
    const rows = document.querySelector<HTMLElement>('[role=table] tbody[role=rowgroup]');
    const first = rows?.querySelector('tr');
    const second = first?.nextElementSibling;
    if (!rows || !first || !second) throw new Error('The board has no rows.');
    const pitch = second.getBoundingClientRect().top - first.getBoundingClientRect().top;
    let entered = 0;
    // Like a push, the new row arrives as a message and is rendered in the next frame.
    addEventListener('message', () =>
      requestAnimationFrame(() => {
        entered += 1;
        const row = first.cloneNode(true) as HTMLElement;
        row.style.top = `${Number.parseFloat(first.style.top) - entered * pitch}px`;
        rows.style.transform = `translateY(${entered * pitch}px)`;
        rows.prepend(row);
        rows.lastElementChild?.remove();
      }),
    );
  });
  return () => page.evaluate(() => postMessage('enter'));
}

/**
 * Returns the main thread's CPU time per row, with one row added at a time. For a push, this includes ending the
 * highlight of an earlier push.
 */
async function singly(page: Page, cdp: CDPSession, enter: () => Promise<void>): Promise<string> {
  const busyDuring = async (act: () => Promise<void>) => {
    const [from, over] = [await metric(cdp, 'TaskDuration'), page.waitForTimeout(PUSH_WINDOW)];
    await act();
    await over;
    return ((await metric(cdp, 'TaskDuration')) - from) * 1000;
  };
  const idle: number[] = [];
  const busy: number[] = [];
  for (let n = 0; n < SINGLE_PUSHES; n += 1) idle.push(await busyDuring(async () => {}));
  for (let n = 0; n < SINGLE_PUSHES; n += 1) busy.push(await busyDuring(enter));
  const [middle, high] = [median(busy) - median(idle), quantile(busy, 0.95) - median(idle)];
  return `median ${middle.toFixed(1)} ms of the main thread's processor time, p95 ${high.toFixed(1)} ms`;
}

/** Like `scrolled`, but places orders one after another during the scroll. */
async function scrolledUnderPushes(page: Page, place: () => Promise<void>): Promise<number[]> {
  let scrolls = true;
  const scrolling = scrolled(page, DISTANCE).finally(() => {
    scrolls = false;
  });
  while (scrolls) await place();
  return scrolling;
}

const megabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(0)} MB`;
const seconds = (ms: number) => (ms / 1000).toFixed(1);

async function report(rows: readonly Row[]): Promise<void> {
  const cpu = cpus();
  const lines = [
    '# Tables of any length',
    '',
    `Written by \`npm run bench:tables\`: an embedded shop with ${ORDERS} orders, placed over HTTP, and its board in Chromium`,
    `(production build, 1280 x 800, no graphics card) on the same machine. ${DISTANCE} px are scrolled, ${STEP} px a frame.`,
    '',
    `Machine: ${cpu.length} x ${cpu[0]?.model ?? 'unknown'}, Node ${process.version}, load ${loadavg()[0]?.toFixed(1)}.`,
    '',
    '| what | figure |',
    '| --- | --- |',
    ...rows.map(([what, figure]) => `| ${what} | ${figure} |`),
    '',
  ];
  writeFileSync(RESULTS, lines.join('\n'));
  for (const line of lines) print(line);
}

await main();
