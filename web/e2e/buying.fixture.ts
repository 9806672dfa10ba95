import { expect, type Locator, type Page } from '@playwright/test';
import { callAs, PEOPLE } from './shop.fixture.ts';

/** A card that pays without a question. */
export const GOOD_CARD = '4242 4242 4242 4242';

/** Opens the catalogue, and from there the order form of a product; fills it in. */
export async function fillOrder(page: Page, product: string): Promise<void> {
  await page.goto('/allproducts');
  await fillOrderFromCatalogue(page, product);
}

/** The same from a catalogue that is open, so that the page isn't loaded again. */
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

/** Pays on the payment page that is open, and goes on from the order's page to its row in My orders. */
export async function payByCard(page: Page, row: Locator, card = GOOD_CARD): Promise<void> {
  await fillCard(page, card);
  await page.getByRole('button', { name: 'PAY', exact: true }).click();
  await expect(page.getByText('Congrats! Your payment is completed.')).toBeVisible();
  await page.getByRole('link', { name: 'My orders' }).last().click();
  await expect(row).toContainText('Paid');
}

/**
 * Ships the order of a row of the board; returns when DELIVER was pressed last, in milliseconds since 1970. A row takes no
 * click for half a second after it has come to offer DELIVER, so a quicker press is repeated (W1).
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
 * Sends the order form that is filled in on one page, pays, and ships on the board that is open on the other; each has to
 * show by itself what the other did.
 */
export async function buyAndShip(shopper: Page, admin: Page, product: string): Promise<void> {
  const own = shopper.getByRole('row').filter({ hasText: product });
  const onBoard = admin.getByRole('row').filter({ hasText: product });
  await shopper.getByRole('button', { name: 'BUY NOW' }).click();
  await expect(onBoard).toContainText('Payment pending');
  await payByCard(shopper, own);
  await deliver(onBoard);
  await expect(own).toContainText('Shipped');
  // No hand is left on the rows, which would hold back the next order.
  await admin.getByRole('heading', { level: 1 }).click();
}

/** Adds a product as the admin of a page; returns its id. */
export async function sell(admin: Page, name: string): Promise<string> {
  const product = { name, price: 1000, quantity: 5000, minorder: 1 };
  return ((await callAs(admin, 'POST', '/products', product)) as { insertedId: string }).insertedId;
}

/** Places an order as the shopper of a page and pays it, without a click; returns its id. */
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
  const { stripe } = (await (await shopper.request.get('/config.json')).json()) as {
    stripe: { publishableKey: string };
  };
  const paid = await shopper.request.post(`/demo-stripe/v1/payment_intents/${intent}/confirm`, {
    headers: { authorization: `Bearer ${stripe.publishableKey}` },
    form: { payment_method: 'pm_card_visa', client_secret: clientSecret },
  });
  expect(paid.ok()).toBe(true);
  await callAs(shopper, 'PATCH', `/orders/${id}`, { order: id, transactionId: intent });
  return id;
}
