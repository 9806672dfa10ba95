import { expect, type Locator, type Page } from '@playwright/test';

/** A card that pays without a question. */
export const GOOD_CARD = '4242 4242 4242 4242';

/** Opens the catalogue, and from there the order form of a product; fills it in. */
export async function fillOrder(page: Page, product: string): Promise<void> {
  await page.goto('/allproducts');
  await fillOrderFromCatalogue(page, product);
}

/** The same from a catalogue that is open, so that the page is not loaded anew. */
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
 * Sends the order form that is filled in on one page, pays, and ships on the board that is open on the other; each has to
 * show by itself what the other did.
 */
export async function buyAndShip(shopper: Page, admin: Page, product: string): Promise<void> {
  const own = shopper.getByRole('row').filter({ hasText: product });
  const onBoard = admin.getByRole('row').filter({ hasText: product });
  await shopper.getByRole('button', { name: 'BUY NOW' }).click();
  await expect(onBoard).toContainText('Payment pending');
  await payByCard(shopper, own);
  await onBoard.getByRole('button', { name: 'DELIVER' }).click();
  await expect(own).toContainText('Shipped');
  await expect(onBoard).toContainText('SHIPPED');
  // No hand is left on the rows, which would hold back the next order.
  await admin.getByRole('heading', { level: 1 }).click();
}
