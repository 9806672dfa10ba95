import { expect, type Page } from '@playwright/test';
import { callAs, liveDot, PEOPLE } from './shop.fixture.ts';

/** The board's rows that are in the DOM. */
export const rows = (page: Page) => page.getByRole('table', { name: 'Orders' }).locator('tr[data-index]');
export const row = (page: Page, text: string) => rows(page).filter({ hasText: text });

/** Places an order through the API as the user signed in on `shopper`. Returns the order's id. */
export async function place(shopper: Page, productId: string, change: object = {}): Promise<string> {
  const order = {
    name: PEOPLE.shopper.name,
    email: PEOPLE.shopper.email,
    phone: '01711000000',
    address: 'House 7, Road 3, Dhanmondi, Dhaka',
    product: 'Karnaphuli Stack',
    productId,
    quantity: 1,
    ...change,
  };
  return ((await callAs(shopper, 'POST', '/orders', order)) as { insertedId: string }).insertedId;
}

/** Opens the board and waits until it is live. */
export async function openBoard(admin: Page, search = ''): Promise<void> {
  await admin.goto(`/dashboard/allorder${search}`);
  await expect(liveDot(admin)).toHaveText('Live');
}
