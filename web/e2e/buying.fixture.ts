import { expect, type Locator, type Page } from '@playwright/test';
import { callAs, PEOPLE } from './shop.fixture.ts';

/** A card that is charged without a 3-D Secure challenge. */
export const GOOD_CARD = '4242 4242 4242 4242';

/** Opens the catalogue, follows a product's link to its order form, and fills it in. */
export async function fillOrder(page: Page, product: string): Promise<void> {
  await page.goto('/allproducts');
  await fillOrderFromCatalogue(page, product);
}

/** Like `fillOrder`, but starts from a catalogue that is already open, so the page isn't reloaded. */
export async function fillOrderFromCatalogue(page: Page, product: string): Promise<void> {
  await page.getByRole('link', { name: `Buy now: ${product}` }).click();
  const form = page.getByRole('form', { name: 'Your order' });
  await form.getByLabel('Address').fill('House 7, Road 3, Dhanmondi, Dhaka');
  await form.getByLabel('Phone').fill('01711000000');
}

export async function fillCard(page: Page, card: string): Promise<void> {
  await page.getByLabel('Card number').fill(card);
  await page.getByLabel('Expiry date').fill('12 / 34');
  await page.getByLabel('Security code').fill('123');
}

/** Pays on the open payment page, then goes from the order's page to its row in My orders. */
export async function payByCard(page: Page, row: Locator, card = GOOD_CARD): Promise<void> {
  await fillCard(page, card);
  await page.getByRole('button', { name: 'PAY', exact: true }).click();
  await expect(page.getByText('Congrats! Your payment is completed.')).toBeVisible();
  await page.getByRole('link', { name: 'My orders' }).last().click();
  await expect(row).toContainText('Paid');
}

/**
 * Ships the order in one of the board's rows. Returns the time of the last click on DELIVER, in ms since the epoch. A
 * row ignores clicks for half a second after DELIVER appears in it, so a click that comes too early is repeated (W1).
 */
export async function deliver(row: Locator): Promise<number> {
  const button = row.getByRole('button', { name: 'DELIVER' });
  let pressed = Date.now();
  await expect(async () => {
    if (await button.isVisible()) {
      pressed = Date.now();
      await button.click({ timeout: 500 });
    }
    await expect(row).toContainText('SHIPPED', { timeout: 500 });
  }).toPass();
  return pressed;
}

/**
 * Submits the shopper's filled-in order form, pays, and ships the order on the admin's open board. Each page must show
 * the other person's action without a reload.
 */
export async function buyAndShip(shopper: Page, admin: Page, product: string): Promise<void> {
  const own = shopper.getByRole('row').filter({ hasText: product });
  const onBoard = admin.getByRole('row').filter({ hasText: product });
  await shopper.getByRole('button', { name: 'BUY NOW' }).click();
  await expect(onBoard).toContainText('Payment pending');
  await payByCard(shopper, own);
  await deliver(onBoard);
  await expect(own).toContainText('Shipped');
  // Moves the pointer and the focus off the rows. While either is on a row, new orders aren't shown automatically.
  await admin.getByRole('heading', { level: 1 }).click();
}

/** Adds a product through the API as the user signed in on `admin`. Returns the product's id. */
export async function sell(admin: Page, name: string): Promise<string> {
  const product = { name, price: 1000, quantity: 5000, minorder: 1 };
  return ((await callAs(admin, 'POST', '/products', product)) as { insertedId: string }).insertedId;
}

/** Places and pays for an order through the API as the user signed in on `shopper`. Returns the order's id. */
export async function placePaid(shopper: Page, productId: string, change: object): Promise<string> {
  const order = {
    name: PEOPLE.shopper.name,
    email: PEOPLE.shopper.email,
    phone: '01711000000',
    address: 'House 7, Road 3, Dhanmondi, Dhaka',
    product: 'Board',
    productId,
    quantity: 1,
    ...change,
  };
  const { insertedId: id } = (await callAs(shopper, 'POST', '/orders', order)) as { insertedId: string };
  const asked = { orderId: id, totalPrice: 1000 };
  const { clientSecret } = (await callAs(shopper, 'POST', '/create-payment-intent', asked)) as { clientSecret: string };
  const [intent = ''] = clientSecret.split('_secret_');
  const { stripe } = (await callAs(shopper, 'GET', '/config.json')) as { stripe: { publishableKey: string } };
  const confirm = new URL(`/demo-stripe/v1/payment_intents/${intent}/confirm`, shopper.url());
  const paid = await fetch(confirm, {
    method: 'POST',
    headers: { authorization: `Bearer ${stripe.publishableKey}` },
    body: new URLSearchParams({ payment_method: 'pm_card_visa', client_secret: clientSecret }),
  });
  expect(paid.ok).toBe(true);
  await callAs(shopper, 'PATCH', `/orders/${id}`, { order: id, transactionId: intent });
  return id;
}
