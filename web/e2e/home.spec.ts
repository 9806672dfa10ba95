import type { Locator, Page } from '@playwright/test';
import { expect, test } from './shop.fixture.ts';

const BANNER = ['Great Selection of desktop computer casing', 'FIRST IS A NEW!?', 'Easier Than Connecting A Cable'];

/** The heading of the banner's visible slide. */
const slideOf = (page: Page): Locator =>
  page.locator('[aria-roledescription="slide"][aria-hidden="false"]').getByRole('heading');

/**
 * Opens the home page with its clock stopped. The banner shows its first slide, and both carousels have just restarted
 * their timers. The page's context must be its own, because the clock stops in all of the context's pages.
 */
async function openHomeWithoutTime(page: Page): Promise<void> {
  await page.clock.install();
  await page.goto('/');
  await expect(page.getByTestId('reviews').locator('figure')).toHaveCount(5);
  await page.clock.pauseAt(Date.now() + 60_000);
  for (const key of ['ArrowRight', 'ArrowLeft']) {
    await page.keyboard.press(key);
    await page.getByTestId('reviews').press(key);
  }
  await page.getByTestId('reviews').blur();
  await page.getByTestId('banner').scrollIntoViewIfNeeded();
  while ((await slideOf(page).textContent()) !== BANNER[0]) await page.keyboard.press('ArrowRight');
}

/** Drags the mouse across the banner by `by` pixels. */
async function draw(page: Page, by: number): Promise<void> {
  const box = await page.getByTestId('banner').boundingBox();
  if (box === null) throw new Error('The banner is not on the screen.');
  const [x, y] = [box.x + box.width / 2, box.y + 24];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + by, y);
  await page.mouse.up();
}

test.describe('home', () => {
  test('H1 H3 H5 H6 H8 H9 the home page shows a visitor all of its sections', async ({ page }) => {
    await page.goto('/');
    await expect(page.locator('[aria-roledescription="slide"]').getByText('BROWSE HERE')).toHaveCount(3);
    for (const title of BANNER) await expect(page.getByText(title, { exact: true })).toHaveCount(1);
    await expect(page.getByRole('region', { name: 'Featured Items' }).getByRole('article')).toHaveCount(3);
    const giveWay = page.getByRole('region', { name: 'Give way!' });
    await expect(giveWay).toContainText('Just purchase any product once for entry!');
    await expect(giveWay).toContainText('eXcross V8 Limited Edition');
    const figures = page.getByRole('region', { name: 'The shop in figures' }).locator('dd');
    await expect(figures).toHaveText(['77', '55+', '999+', '207+', '444+']);
    const upcoming = 'Register for New Upcoming Products and Discounts Offer Notification';
    await expect(page.getByRole('region', { name: upcoming }).getByRole('listitem')).toHaveCount(12);
    await expect(page.getByRole('contentinfo').locator('[href]')).toHaveCount(0);
    await slideOf(page).locator('..').getByRole('link', { name: 'BROWSE HERE' }).click();
    await expect(page).toHaveURL(/\/allproducts$/);
  });

  test('H2 the banner advances every 5,000 ms, pauses while the mouse is over it, wraps around, and responds to arrow keys and to drags of at least 40 px', async ({
    open,
  }) => {
    const page = await open();
    await openHomeWithoutTime(page);
    await page.mouse.move(5, 5);
    await page.clock.runFor(4999);
    await expect(slideOf(page)).toHaveText(BANNER[0] ?? '');
    await page.clock.runFor(1);
    await expect(slideOf(page)).toHaveText(BANNER[1] ?? '');
    await page.getByTestId('banner').hover();
    await page.clock.runFor(60_000);
    await expect(slideOf(page)).toHaveText(BANNER[1] ?? '');
    await page.mouse.move(5, 5);
    await page.clock.runFor(5000);
    await expect(slideOf(page)).toHaveText(BANNER[2] ?? '');
    await page.clock.runFor(5000);
    await expect(slideOf(page)).toHaveText(BANNER[0] ?? '');
    await page.keyboard.press('ArrowLeft');
    await expect(slideOf(page)).toHaveText(BANNER[2] ?? '');
    await page.keyboard.press('ArrowRight');
    await expect(slideOf(page)).toHaveText(BANNER[0] ?? '');
    for (const [by, shown] of [
      [-39, 0],
      [-40, 1],
      [39, 1],
      [40, 0],
      [40, 2],
    ] as const) {
      await draw(page, by);
      await expect(slideOf(page), `after ${by} px`).toHaveText(BANNER[shown] ?? '');
    }
  });

  test('H2 on a phone, holding a finger on the banner pauses it, and a swipe changes the slide', async ({
    browser,
    shop,
  }) => {
    const phone = { width: 390, height: 844 };
    const context = await browser.newContext({ baseURL: shop.url, viewport: phone, hasTouch: true, isMobile: true });
    const page = await context.newPage();
    await openHomeWithoutTime(page);
    const y = ((await page.getByTestId('banner').boundingBox())?.y ?? 0) + 200;
    const touch = await context.newCDPSession(page);
    const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', x?: number) =>
      touch.send('Input.dispatchTouchEvent', { type, touchPoints: x === undefined ? [] : [{ x, y }] });
    await send('touchStart', 300);
    await page.clock.runFor(6000);
    await expect(slideOf(page)).toHaveText(BANNER[0] ?? '');
    for (const x of [280, 260]) await send('touchMove', x);
    await send('touchEnd');
    await expect(slideOf(page)).toHaveText(BANNER[1] ?? '');
    await context.close();
  });

  test('H7 the review carousel advances every 6,100 ms, wraps around, and can be stopped with its button', async ({
    open,
  }) => {
    const page = await open();
    await openHomeWithoutTime(page);
    await page.mouse.move(5, 5);
    const reviews = page.getByTestId('reviews');
    const shown = reviews.locator('figure[aria-hidden="false"]');
    const texts = await reviews.locator('blockquote').allTextContents();
    const first = texts.indexOf((await shown.locator('blockquote').textContent()) ?? '');
    await page.clock.runFor(6099);
    await expect(shown).toContainText(texts[first] ?? '');
    await page.clock.runFor(1);
    for (const step of [1, 2, 3, 4, 5]) {
      await expect(shown).toContainText(texts[(first + step) % 5] ?? '');
      await page.clock.runFor(6100);
    }
    const [stopped] = await shown.locator('blockquote').allTextContents();
    await reviews.getByRole('button', { name: 'Stop the reviews' }).click();
    await page.mouse.move(5, 5);
    await page.clock.runFor(60_000);
    await expect(shown).toContainText(stopped ?? '');
  });

  test("H2 H7 the home page's carousels do not advance on their own for a visitor who prefers reduced motion", async ({
    open,
  }) => {
    const page = await open();
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await openHomeWithoutTime(page);
    const review = page.getByTestId('reviews').locator('figure[aria-hidden="false"]');
    const before = await review.textContent();
    await page.clock.runFor(120_000);
    await expect(slideOf(page)).toHaveText(BANNER[0] ?? '');
    await expect(review).toHaveText(before ?? '');
    await expect(page.getByRole('button', { name: /^Stop the/ })).toHaveCount(0);
  });
});
