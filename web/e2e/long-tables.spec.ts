import type { Page, Request } from '@playwright/test';
import { openBoard, place, row, rows } from './board.fixture.ts';
import { sell } from './buying.fixture.ts';
import { expect, liveDot, PEOPLE, test } from './shop.fixture.ts';

/** More orders than the first page of rows contains, so that another page has to be fetched. */
const ORDERS = 420;

/** The distance from the top of the screen to the row, in pixels. */
const topOf = (page: Page, text: string) => row(page, text).evaluate((one) => one.getBoundingClientRect().top);

test('A1 LIST1 K3 a long order board renders few rows at a time, fetches only the next page of rows, and does not move while orders arrive', async ({
  person,
}) => {
  test.slow();
  const admin = await person(PEOPLE.admin);
  const shopper = await person(PEOPLE.shopper);
  const productId = await sell(admin, 'Karnaphuli Stack');
  const placeOne = (n: number) => place(shopper, productId, { name: `Buyer ${n} of many` });
  // The first ten orders and the last one have their places. The others may be in any order.
  for (let n = 0; n < 10; n += 1) await placeOne(n);
  for (let n = 10; n < ORDERS - 1; n += 20) {
    await Promise.all(Array.from({ length: Math.min(20, ORDERS - 1 - n) }, (_, more) => placeOne(n + more)));
  }
  await placeOne(ORDERS - 1);
  const asked: string[] = [];
  let answered = 0;
  const isList = (request: Request) => new URL(request.url()).pathname === '/orders' && request.method() === 'GET';
  admin.on('request', (request) => {
    if (isList(request)) asked.push(new URL(request.url()).search);
  });
  admin.on('requestfinished', (request) => {
    if (isList(request)) answered += 1;
  });
  await openBoard(admin, '?q=of%20many');
  await expect(rows(admin).first()).toContainText(`Buyer ${ORDERS - 1} of many`);
  expect(await rows(admin).count()).toBeLessThan(60);
  await expect(admin.getByRole('table', { name: 'Orders' })).toHaveAttribute('aria-rowcount', '-1');
  // A page that connects slowly, or first connects as a visitor, fetches its first rows again once it's live for the
  // admin. The dot may have shown a visitor's connection before, but now that the rows are shown, it shows the admin's.
  await expect(liveDot(admin)).toHaveText('Live');
  await expect.poll(() => asked.length - answered).toBe(0);
  const atFirst = asked.length;

  // Keyboard scrolling moves the whole page, including the table.
  const table = admin.getByRole('table', { name: 'Orders' });
  await expect(async () => {
    await admin.keyboard.press('End');
    await expect(table).toHaveAttribute('aria-rowcount', String(ORDERS + 1), { timeout: 1000 });
  }).toPass();
  expect(asked).toHaveLength(atFirst + 1);
  expect(asked.at(-1)).toContain('cursor=');
  await admin.keyboard.press('End');
  await expect(row(admin, 'Buyer 0 of many')).toBeInViewport();
  expect(await rows(admin).count()).toBeLessThan(60);
  await expect(row(admin, 'Buyer 0 of many')).toHaveAttribute('aria-rowindex', String(ORDERS + 1));

  const before = await topOf(admin, 'Buyer 9 of many');
  await place(shopper, productId, { name: 'Late, but one of many' });
  await expect(row(admin, 'Buyer 0 of many')).toHaveAttribute('aria-rowindex', String(ORDERS + 2));
  expect(Math.abs((await topOf(admin, 'Buyer 9 of many')) - before)).toBeLessThanOrEqual(1);
  await admin.keyboard.press('Home');
  await expect(rows(admin).first()).toContainText('Late, but one of many');
  expect(asked).toHaveLength(atFirst + 1);

  // Orders that arrive during a smooth scroll don't interrupt it. Each key scrolls as far as it would without them.
  const depth = () => admin.evaluate(() => window.scrollY);
  let arrived = 0;
  const press = async (key: string) => {
    const listening = await admin.evaluateHandle(() => {
      const ended = new Promise((resolve) => window.addEventListener('scrollend', resolve, { once: true }));
      return { ended };
    });
    let scrolls = true;
    const ended = listening
      .evaluate(async (page) => void (await page.ended))
      .then(() => {
        scrolls = false;
      });
    await admin.keyboard.press(key);
    for (; scrolls; arrived += 1) await place(shopper, productId, { name: `Arrived ${arrived} of many` });
    await ended;
  };
  await press('End');
  const below = () => admin.evaluate(() => document.documentElement.scrollHeight - innerHeight - scrollY);
  await expect.poll(below).toBeLessThan(1);
  await expect(row(admin, 'Buyer 0 of many')).toBeInViewport();
  await press('PageUp');
  await expect.poll(below).toBeGreaterThan(300);
  await press('Home');
  await expect.poll(depth).toBe(0);
  await expect(rows(admin).first()).toContainText(`Arrived ${arrived - 1} of many`);
});

test('A1 a row stays in place while the pointer is over it, and a long address is shown in a tooltip instead of making its row taller', async ({
  person,
}) => {
  const admin = await person(PEOPLE.admin);
  const shopper = await person(PEOPLE.shopper);
  const productId = await sell(admin, 'Gorai Compact');
  const address = 'Flat 9B, House 131, Road 27 (old 12), Block C, Mirpur DOHS, Dhaka 1216';
  for (let n = 0; n < 30; n += 1) await place(shopper, productId, { name: `Aimed ${n}`, address });
  await openBoard(admin, '?q=aimed');
  await expect(row(admin, 'Aimed 29')).toBeVisible();
  const cell = row(admin, 'Aimed 29').getByRole('cell').nth(3);
  await expect(cell).toHaveAttribute('title', address);
  const heights = await rows(admin).evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height));
  expect(new Set(heights).size).toBe(1);

  await row(admin, 'Aimed 20').hover();
  const before = await topOf(admin, 'Aimed 20');
  const placing = place(shopper, productId, { name: 'Aimed too late' });
  const waiting = admin.getByRole('button', { name: 'Show 1 new order' });
  let aim = 0;
  await expect(async () => {
    // Keeps the pointer moving within the row, like a user who is aiming at a button.
    aim += 1;
    await row(admin, 'Aimed 20').hover({ position: { x: 40 + (aim % 2), y: 8 } });
    expect(await waiting.isVisible()).toBe(true);
  }).toPass({ intervals: [200], timeout: 20_000 });
  await placing;
  expect(await topOf(admin, 'Aimed 20')).toBe(before);
  // As soon as the pointer leaves the rows, the new order is shown, even before the pointer could reach the button.
  await admin.getByRole('heading', { level: 1 }).hover();
  await expect(rows(admin).first()).toContainText('Aimed too late');
});

test('A1 on the order board, every column is in view and no status is cut off at any window width', async ({
  person,
}) => {
  const admin = await person(PEOPLE.admin);
  await place(await person(PEOPLE.shopper), await sell(admin, 'Teesta Midi'));
  await openBoard(admin, '?q=Teesta');
  const status = row(admin, 'Teesta Midi').getByText('Payment pending');
  for (const width of [769, 991, 992, 1199, 1200, 1279, 1280, 1440]) {
    await admin.setViewportSize({ width, height: 800 });
    await expect(status).toBeInViewport({ ratio: 1 });
    const cut = () =>
      status.evaluate((badge) => {
        const cell = badge.closest('td') as HTMLElement;
        const scroller = badge.closest('table')?.parentElement as HTMLElement;
        return Math.max(
          badge.getBoundingClientRect().right - cell.getBoundingClientRect().right,
          scroller.scrollWidth - scroller.clientWidth,
        );
      });
    await expect.poll(cut, `at ${width} px`).toBeLessThanOrEqual(0);
  }
});

test("W7 O2 the buttons for selected orders fit on a phone's screen, and CANCEL ORDER in My orders fits next to the drawer in a 1000 px window", async ({
  person,
}) => {
  const admin = await person(PEOPLE.admin);
  const shopper = await person(PEOPLE.shopper);
  const productId = await sell(admin, 'Kushiyara Mini');
  for (let n = 0; n < 2; n += 1) await place(shopper, productId);
  const reach = (one: Element) =>
    [one, ...one.querySelectorAll('*')].map((part) => part.scrollWidth - part.clientWidth);
  await admin.setViewportSize({ width: 390, height: 800 });
  await openBoard(admin, '?q=Kushiyara');
  await row(admin, 'Kushiyara Mini').first().getByRole('checkbox').click();
  // The rows stay in place while one of them has the focus, so the new order only adds a button next to those for the
  // selection.
  await place(shopper, productId);
  for (const name of ['Ship 0', 'Print slips', 'Clear', 'Show 1 new order']) {
    const button = admin.getByRole('button', { name, exact: true });
    await expect(button).toBeInViewport({ ratio: 1 });
    expect(Math.max(...(await button.evaluate(reach))), name).toBeLessThanOrEqual(0);
  }

  await shopper.setViewportSize({ width: 1000, height: 800 });
  await shopper.goto('/dashboard/myorders');
  const cancel = shopper.getByRole('button', { name: 'CANCEL ORDER' }).first();
  await expect(cancel).toBeInViewport({ ratio: 1 });
});

test('A1 inserting a row into the order board does not make the browser restyle any other row', async ({
  person,
  browser,
}) => {
  const admin = await person(PEOPLE.admin);
  const productId = await sell(admin, 'Padma Lite');
  const shopper = await person(PEOPLE.shopper);
  for (let n = 0; n < 20; n += 1) await place(shopper, productId);
  await openBoard(admin);
  await expect(rows(admin).nth(19)).toBeAttached();

  await browser.startTracing(admin, { categories: ['devtools.timeline'] });
  const ofOneRow = await rows(admin)
    .first()
    .evaluate((first) => {
      const body = first.parentElement as HTMLElement;
      const row = first.cloneNode(true) as HTMLElement;
      body.prepend(row);
      body.style.transform = 'translateY(36px)';
      // Reading a style forces the browser to compute it.
      getComputedStyle(row).getPropertyValue('opacity');
      row.remove();
      return row.querySelectorAll('*').length + 1;
    });
  const trace: { traceEvents: { name: string; args: { elementCount?: number } }[] } = JSON.parse(
    (await browser.stopTracing()).toString(),
  );
  const restyled = trace.traceEvents.flatMap(({ name, args }) =>
    name === 'UpdateLayoutTree' ? [args.elementCount ?? 0] : [],
  );
  expect(Math.max(...restyled)).toBeGreaterThanOrEqual(ofOneRow);
  // In addition to the row's own elements, allow for its container and a few pseudo-elements.
  expect(Math.max(...restyled)).toBeLessThan(ofOneRow + 5);
});
