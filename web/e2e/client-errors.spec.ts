import type { Page } from '@playwright/test';
import { fillOrder } from './buying.fixture.ts';
import { expect, fillSignIn, PEOPLE, test, tokenOf } from './shop.fixture.ts';

const bar = (page: Page) => page.getByRole('navigation', { name: 'Main' });
const alert = (page: Page) => page.getByRole('main').getByRole('alert');
const notice = (page: Page) => page.getByRole('status', { name: 'Connection' });

/** The address of the blogs page's script. */
const BLOGS_SCRIPT = '**/static/js/blogs-page.*.chunk.js';

/** Starts counting the documents that a page requests. Returns a function that returns the count so far. */
function countDocuments(page: Page): () => number {
  let documents = 0;
  page.on('request', (request) => {
    if (request.isNavigationRequest()) documents += 1;
  });
  return () => documents;
}

test('I6 a page whose script fails to load says so and keeps the navigation bar, and Try again fetches the script again', async ({
  page,
}) => {
  await page.goto('/');
  await page.route(BLOGS_SCRIPT, (route) => route.abort('connectionfailed'));
  await bar(page).getByRole('link', { name: 'Blogs' }).click();
  await expect(alert(page)).toContainText('Loading chunk blogs failed.');
  await expect(page).toHaveTitle('Error - Micro Center');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('This page could not be loaded');
  await expect(bar(page)).toBeVisible();
  await alert(page).getByRole('link', { name: 'Go to the home page' }).click();
  await expect(page).toHaveTitle('Home - Micro Center');

  await bar(page).getByRole('link', { name: 'Blogs' }).click();
  await expect(alert(page)).toBeVisible();
  await page.unroute(BLOGS_SCRIPT);
  await alert(page).getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Blogs' })).toBeVisible();
});

test('I6 while the device is offline, Try again does not reload the page but says that the shop cannot be reached', async ({
  page,
}) => {
  await page.goto('/');
  await page.route(BLOGS_SCRIPT, (route) => route.abort('connectionfailed'));
  await bar(page).getByRole('link', { name: 'Blogs' }).click();
  await page.context().setOffline(true);
  const documents = countDocuments(page);
  await alert(page).getByRole('button', { name: 'Try again' }).click();
  await expect(alert(page)).toContainText('The shop cannot be reached at the moment.');
  expect(documents()).toBe(0);
});

test('I6 an open page whose scripts were replaced by a newer version reloads itself to get that version, but only once', async ({
  page,
}) => {
  await page.goto('/');
  const documents = countDocuments(page);
  await page.route(BLOGS_SCRIPT, (route) => (documents() > 0 ? route.continue() : route.fulfill({ status: 404 })));
  const newer = { contentType: 'text/html', body: '<script type="module" src="/static/js/index.newer.js"></script>' };
  await page.route('/', (route) => (route.request().isNavigationRequest() ? route.continue() : route.fulfill(newer)));
  await bar(page).getByRole('link', { name: 'Blogs' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Blogs' })).toBeVisible();
  expect(documents()).toBe(1);

  // A document that still refers to missing scripts, for example one from a cache, isn't reloaded in a loop.
  await page.route('**/static/js/portfolio-page.*.chunk.js', (route) => route.fulfill({ status: 404 }));
  await bar(page).getByRole('link', { name: 'Portfolio' }).click();
  await expect(alert(page)).toContainText('Loading chunk portfolio failed.');
  await alert(page).getByRole('link', { name: 'Go to the home page' }).click();
  await expect(page).toHaveTitle('Home - Micro Center');
  expect(documents()).toBe(1);
});

test('I6 if a page throws an error, the navigation bar stays and still leads to the other pages', async ({ page }) => {
  const contentType = 'text/javascript';
  const body = 'export default () => { throw new Error("broken"); };';
  await page.route(BLOGS_SCRIPT, (route) => route.fulfill({ contentType, body }));
  await page.goto('/blogs');
  await expect(alert(page)).toContainText('Something went wrong on this page');
  await expect(alert(page).getByRole('button', { name: 'Try again' })).toBeVisible();
  await bar(page).getByRole('link', { name: 'Products' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'All Items' })).toBeVisible();
});

test('LIVE4 while the device is offline, a notice says so without shifting anything on the page', async ({ page }) => {
  await page.goto('/allproducts');
  const card = page.getByRole('article').first();
  const before = await card.boundingBox();
  await expect(notice(page)).toBeEmpty();
  await page.context().setOffline(true);
  await expect(notice(page)).toContainText('You are offline.');
  expect(await card.boundingBox()).toEqual(before);
  await page.context().setOffline(false);
  await expect(notice(page)).toBeEmpty();
});

test('R21 I5 a user whose session the shop rejects is sent to /login, and signing in again leads back to the order form', async ({
  person,
}) => {
  const page = await person(PEOPLE.otherShopper);
  await fillOrder(page, 'Norwester G7');
  const form = page.url();
  await page.route('/orders', (route) => {
    const problem = { type: 'about:blank', title: 'Please sign in.', status: 401, code: 'unauthenticated' };
    return route.fulfill({ status: 401, contentType: 'application/problem+json', body: JSON.stringify(problem) });
  });
  await page.getByRole('button', { name: 'BUY NOW' }).click();
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByText('Your session has ended.')).toBeVisible();
  expect(await tokenOf(page)).toBeNull();
  await fillSignIn(page, PEOPLE.otherShopper);
  await expect(page).toHaveURL(form);
  await expect(page.getByRole('form', { name: 'Your order' })).toBeVisible();
});
