import type { Page } from '@playwright/test';
import { deliver, fillCard, fillOrder, GOOD_CARD } from './buying.fixture.ts';
import { callAs, expect, PEOPLE, test, watchForReload } from './shop.fixture.ts';

const BENGALI = 'বাড়ি ৭, সড়ক ৩, ধানমন্ডি, ঢাকা ১২০৫';

const sideways = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/**
 * On an order's page, opens the demo mailbox and follows the link in the order's e-mail. The link must open the same
 * page in a new tab.
 */
async function followMail(page: Page, about: string): Promise<void> {
  const number = /MC-\d+/.exec(await page.title())?.[0];
  await page.getByRole('button', { name: 'Open the demo mailbox' }).click();
  const mailbox = page.getByRole('dialog', { name: 'Demo mailbox' });
  const mail = mailbox.getByRole('listitem').filter({ hasText: `Order ${number}: ${about}` });
  await expect(async () => {
    await mailbox.getByRole('button', { name: 'Refresh' }).click();
    await expect(mail).toBeVisible({ timeout: 500 });
  }).toPass();
  const opened = page.waitForEvent('popup');
  await mail.getByRole('link', { name: 'See the order' }).click();
  const tab = await opened;
  await expect(tab).toHaveURL(page.url());
  await expect(tab.getByRole('heading', { level: 1 })).toHaveText('Paid');
  await expect(tab).toHaveTitle(new RegExp(`${number} - Micro Center$`));
  await tab.close();
  await page.keyboard.press('Escape');
}

test("J2 O4 O5 O7 Y4 an order's page shows the payment, a corrected address and the shipment without a reload, and the order's e-mail links to the page", async ({
  person,
}) => {
  const product = 'Norwester G7';
  const shopper = await person(PEOPLE.shopper);
  const admin = await person(PEOPLE.admin);
  await admin.goto('/dashboard/allorder');
  const row = admin.getByRole('row').filter({ hasText: product }).filter({ hasText: PEOPLE.shopper.name }).first();

  await fillOrder(shopper, product);
  await shopper.getByRole('button', { name: 'BUY NOW' }).click();
  await expect(shopper).toHaveURL(/\/dashboard\/payment\/\w+$/);
  await expect(shopper.getByText('Please pay for confirm order')).toBeVisible();
  await expect(shopper.getByRole('form', { name: 'Card payment' })).toContainText('৳289,000');
  await fillCard(shopper, GOOD_CARD);
  await shopper.getByRole('button', { name: 'PAY', exact: true }).click();
  await expect(shopper).toHaveURL(/\/dashboard\/myorders\/\w+$/);
  await expect(shopper.getByText('Congrats! Your payment is completed.')).toBeVisible();
  await expect(shopper.getByText(/^pi_\w+$/).first()).toBeVisible();
  await expect(shopper.getByRole('heading', { level: 1 })).toHaveText('Paid');
  await expect(shopper).toHaveTitle(/^Order MC-\d+ - Micro Center$/);
  const stayed = await watchForReload(shopper);
  await followMail(shopper, 'paid');

  await shopper.getByRole('button', { name: 'Change address or phone' }).click();
  const form = shopper.getByRole('form', { name: 'Change address or phone' });
  await form.getByLabel('Address').fill(BENGALI);
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(row).toContainText(BENGALI);
  await expect(shopper.getByText(BENGALI)).toBeVisible();

  await deliver(row);
  await expect(shopper.getByRole('heading', { level: 1 })).toHaveText('Shipped');
  await expect(shopper).toHaveTitle(/^Shipped - MC-\d+ - Micro Center$/);
  const steps = shopper.getByRole('list', { name: 'Steps of the order' });
  await expect(steps.getByRole('listitem').last()).not.toContainText('Not yet');
  await expect(shopper.getByRole('link', { name: 'Write a review' })).toBeVisible();
  await expect(shopper.getByRole('button', { name: 'Change address or phone' })).toHaveCount(0);
  expect(await stayed()).toBe(true);
  // The payment page also says that the order is shipped (Y5).
  await shopper.goto(shopper.url().replace('/myorders/', '/payment/'));
  await expect(shopper.getByRole('heading', { name: 'This order is shipped.' })).toBeVisible();
});

/** Applies the text spacing that WCAG 1.4.12 requires a page to support. */
const spaceText = (page: Page) =>
  page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`
      * { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }
      p { margin-bottom: 2em !important; }`);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  });

/** The elements in the main part of the page that cut off some of their content. */
const cutText = (page: Page) =>
  page.evaluate(() => {
    const hides = (overflow: string) => overflow === 'hidden' || overflow === 'clip';
    return [...document.querySelectorAll('main *')]
      .filter((element) => {
        const { overflowX, overflowY, position } = getComputedStyle(element);
        const { clientWidth, clientHeight, scrollWidth, scrollHeight } = element;
        // Skips visually hidden text, and also input fields, because their text can be scrolled.
        if ((clientWidth <= 1 && position === 'absolute') || element instanceof HTMLInputElement) return false;
        return (
          (hides(overflowX) && scrollWidth > clientWidth + 1) || (hides(overflowY) && scrollHeight > clientHeight + 1)
        );
      })
      .map((element) => `${element.outerHTML.slice(0, 120)} ${element.textContent?.slice(0, 60)}`);
  });

/** Returns the elements that have a transition or animation with a non-zero duration on themselves, ::before or ::after. */
const moving = (page: Page) =>
  page.evaluate(() => {
    const seconds = (times: string) => Math.max(...times.split(',').map(Number.parseFloat));
    const moves = ({ transitionDuration, animationDuration }: CSSStyleDeclaration) =>
      Math.max(seconds(transitionDuration), seconds(animationDuration)) > 0;
    return [...document.querySelectorAll('*')]
      .filter((element) => [null, '::before', '::after'].some((part) => moves(getComputedStyle(element, part))))
      .map((element) => element.outerHTML.slice(0, 120));
  });

test("O8 O4 O9 a click anywhere in a row opens its order, the order's page fits on a phone's screen, and no text is cut off on any page from the item to order tracking in a 1280 px window at 200 % zoom", async ({
  person,
}) => {
  const shopper = await person(PEOPLE.otherShopper);
  const products = (await callAs(shopper, 'GET', '/products')) as { _id: string; name: string; minorder: number }[];
  const product = products.find(({ name }) => name === 'Trellis Open Frame');
  if (product === undefined) throw new Error('The demo shop sells no Trellis Open Frame.');
  const order = {
    ...{ name: 'নুসরাত জাহান', email: PEOPLE.otherShopper.email, phone: '01711000000', address: BENGALI },
    ...{ product: product.name, productId: product._id, quantity: product.minorder },
  };
  const { insertedId } = (await callAs(shopper, 'POST', '/orders', order)) as { insertedId: string };
  const { token } = (await callAs(shopper, 'POST', `/orders/${insertedId}/tracking`)) as { token: string };
  await shopper.emulateMedia({ reducedMotion: 'reduce' });
  await shopper.goto('/dashboard/myorders');
  const row = shopper.getByRole('row').filter({ hasText: product.name }).first();
  // Clicks next to the text, in an empty part of the row.
  const quantity = await row.getByRole('cell').nth(2).boundingBox();
  await shopper.mouse.click((quantity?.x ?? 0) + 4, (quantity?.y ?? 0) + 4);
  await expect(shopper).toHaveURL(new RegExp(`/dashboard/myorders/${insertedId}$`));
  await expect(shopper.getByRole('heading', { level: 1 })).toHaveText('Waiting for payment');
  await expect(shopper.getByText(BENGALI)).toBeVisible();
  await expect(shopper.getByText('নুসরাত জাহান')).toHaveAttribute('lang', 'bn');
  expect(await moving(shopper)).toEqual([]);
  // A window of 1280 px at 200 % zoom is 640 CSS pixels wide.
  for (const width of [640, 390, 320]) {
    await shopper.setViewportSize({ width, height: 800 });
    expect(await sideways(shopper), `at ${width} px`).toBe(0);
  }
  await shopper.setViewportSize({ width: 640, height: 800 });
  const [item, buy] = [`/items/${product._id}`, `/buypage/${product._id}`];
  for (const path of [
    item,
    buy,
    `/dashboard/payment/${insertedId}`,
    `/dashboard/myorders/${insertedId}`,
    `/track/${token}`,
  ]) {
    await shopper.goto(path);
    await expect(shopper.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(shopper.getByRole('status', { name: /^(Loading|Looking)/ })).toHaveCount(0);
    if (path.endsWith(insertedId) && !path.includes('payment'))
      await expect(shopper.getByRole('textbox', { name: 'Tracking link' })).toHaveValue(/track/);
    if (path === item) await expect(shopper.getByRole('region', { name: 'More like this' })).toBeVisible();
    if (path === buy) await shopper.getByLabel('Address').fill(BENGALI);
    expect(await cutText(shopper), path).toEqual([]);
    await spaceText(shopper);
    expect(await cutText(shopper), `${path}, with its text spaced`).toEqual([]);
    expect(await sideways(shopper), `${path}, with its text spaced`).toBe(0);
  }
  // The icon that replaces a missing picture isn't cut off either.
  await shopper.route('**/*', (route) =>
    route.request().resourceType() === 'image' ? route.abort() : route.continue(),
  );
  await shopper.goto(`/dashboard/payment/${insertedId}`);
  await expect(shopper.getByRole('main').locator('.tabler-icon-device-desktop')).toBeVisible();
  expect(await cutText(shopper), 'without a picture').toEqual([]);
  await callAs(shopper, 'DELETE', `/orders/${insertedId}`);
});

test('O1 O2 no cell in My orders overflows at 800 px, a width between the phone layout and the full table, even with the largest order total', async ({
  person,
}) => {
  const shopper = await person(PEOPLE.otherShopper);
  const products = (await callAs(shopper, 'GET', '/products')) as { _id: string; name: string }[];
  const { _id: productId, name: product } = products.find(({ name }) => name === 'Bulbul Stream 8') ?? {};
  await callAs(shopper, 'POST', '/orders', {
    ...{ name: PEOPLE.otherShopper.name, email: PEOPLE.otherShopper.email, phone: '01711000000', address: BENGALI },
    ...{ product, productId, quantity: 5 },
  });
  await shopper.setViewportSize({ width: 800, height: 800 });
  await shopper.goto('/dashboard/myorders');
  const row = shopper.getByRole('row').filter({ hasText: 'total ৳992,500' });
  await expect(row.getByRole('link', { name: /^PAY NOW/ })).toBeVisible();
  const runOver = await row
    .getByRole('cell')
    .evaluateAll((cells) => cells.filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.innerHTML));
  expect(runOver).toEqual([]);
  expect(await sideways(shopper)).toBe(0);
});
