import type { Page } from '@playwright/test';
import { fillCard, fillOrder, GOOD_CARD } from './buying.fixture.ts';
import { callAs, expect, liveDot, PEOPLE, test, watchForReload } from './shop.fixture.ts';

const PRODUCT = 'Norwester G7';

/** Orders a product and creates a tracking link on the order's page. Leaves that page open and returns the link. */
async function orderAndShare(shopper: Page): Promise<string> {
  await fillOrder(shopper, PRODUCT);
  await shopper.getByRole('button', { name: 'BUY NOW' }).click();
  await expect(shopper).toHaveURL(/\/dashboard\/payment\/\w+$/);
  await shopper.goto(shopper.url().replace('/payment/', '/myorders/'));
  await shopper.getByRole('button', { name: 'Share tracking link' }).click();
  const field = shopper.getByLabel('Tracking link', { exact: true }).and(shopper.getByRole('textbox'));
  await expect(field).toBeFocused();
  await expect(field).toHaveValue(/\/track\/[\w-]{50}$/);
  return field.inputValue();
}

test('K5 K6 TRACK1 TRACK4 a signed-out visitor with a tracking link sees the order change to paid and then to shipped, until the link is withdrawn', async ({
  person,
  visitor,
}) => {
  const shopper = await person(PEOPLE.shopper);
  const admin = await person(PEOPLE.admin);
  const link = await orderAndShare(shopper);

  const watcher = await visitor();
  const asked: string[] = [];
  watcher.on('request', (request) => asked.push(`${request.url()} ${request.headers().referer ?? ''}`));
  await watcher.goto(link);
  const [heading, steps] = [watcher.getByRole('heading', { level: 1 }), watcher.getByRole('list', { name: 'Steps' })];
  const current = steps.locator('[aria-current=step]');
  await expect(heading).toHaveText('Order placed');
  await expect(watcher).toHaveTitle('Order tracking - Micro Center');
  await expect(current).toContainText('Placed');
  await expect(liveDot(watcher)).toHaveText('Live');
  await expect(watcher.getByRole('heading', { level: 2 }).first()).toHaveText(PRODUCT);
  const stayed = await watchForReload(watcher);

  await shopper.getByRole('link', { name: 'PAY NOW' }).click();
  await fillCard(shopper, GOOD_CARD);
  await shopper.getByRole('button', { name: 'PAY', exact: true }).click();
  await expect(heading).toHaveText('Getting ready');
  await expect(current).toContainText('Confirmed');

  await expect(shopper).toHaveURL(/\/dashboard\/myorders\/\w+$/);
  await callAs(admin, 'PUT', `/orders/${shopper.url().split('/').at(-1)}`);
  await expect(heading).toHaveText('On its way');
  await expect(current).toContainText('Shipped');
  await expect(watcher.getByRole('status', { name: 'Step of the order' })).toHaveText('The order is now shipped.');

  const shown = await watcher.locator('main').innerText();
  for (const personal of [PEOPLE.shopper.name, PEOPLE.shopper.email, '01711000000', 'Dhanmondi', '৳', 'pi_']) {
    expect(shown).not.toContain(personal);
  }
  // The token is in the URL of the request for the page itself, and in no other URL or referrer.
  const token = link.split('/').at(-1) ?? '';
  expect(asked.filter((request) => request.includes(token))).toEqual([expect.stringMatching(/\/track\/[\w-]+ $/)]);

  // After the payment, the shopper is back on the order's page.
  await shopper.getByRole('button', { name: 'Stop sharing' }).click();
  await expect(shopper.getByRole('button', { name: 'Share tracking link' })).toBeFocused();
  await expect(heading).toHaveText('This tracking link does not work');
  expect(await stayed()).toBe(true);
  await watcher.reload();
  await expect(heading).toHaveText('This tracking link does not work');
  // Without a working link, the page connects like any other page that a signed-out visitor opens.
  await expect(liveDot(watcher)).toHaveText('Live');
});

test('K5 TRACK1 an invented or truncated tracking link shows the same page as a link that was withdrawn', async ({
  visitor,
}) => {
  const page = await visitor();
  for (const token of ['x', 'A'.repeat(50), '%C3%BF']) {
    await page.goto(`/track/${token}`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('This tracking link does not work');
  }
});
