import type { Page } from '@playwright/test';
import { openBoard, place, row } from './board.fixture.ts';
import { fillCard, placePaid, sell } from './buying.fixture.ts';
import { callAs, expect, PEOPLE, test, watchForReload } from './shop.fixture.ts';

const drawer = (page: Page) => page.getByRole('region', { name: 'Order', exact: true });
const refundForm = (page: Page) => drawer(page).getByRole('form', { name: 'Refund' });
const headline = (page: Page) => page.getByRole('heading', { level: 1 });
const history = (page: Page) => page.getByRole('list', { name: 'Everything that happened' });
const stockOf = async (page: Page, productId: string) =>
  ((await callAs(page, 'GET', `/products/${productId}`)) as { quantity: number }).quantity;

test('PAY8 when an admin refunds a part of an order, the customer’s open order page shows it without a reload, and only admins see the note', async ({
  person,
}) => {
  const admin = await person(PEOPLE.admin);
  const shopper = await person(PEOPLE.shopper);
  const id = await placePaid(shopper, await sell(admin, 'Ichamati Board'), { name: 'Ichamati' });
  await shopper.goto(`/dashboard/myorders/${id}`);
  await expect(headline(shopper)).toHaveText('Paid');
  const stayed = await watchForReload(shopper);

  await openBoard(admin, '?q=ichamati');
  await expect(row(admin, 'Ichamati')).toBeVisible();
  await admin.keyboard.press('j');
  await expect(admin.getByRole('button', { name: /^Open order/ })).toBeFocused();
  await admin.keyboard.press('r');
  const form = refundForm(admin);
  await expect(form).toBeFocused();
  await expect(form.getByRole('radio', { name: 'All that is left, ৳1,000' })).toBeChecked();
  await form.getByText('A part').click();
  await form.getByLabel('Amount in taka').fill('1,000.01');
  await form.getByRole('button', { name: 'Refund' }).click();
  await expect(form.getByText('At most ৳1,000 is left.')).toBeVisible();
  await form.getByLabel('Amount in taka').fill('250.50');
  await form.getByLabel('Reason').selectOption('Damaged item');
  await form.getByLabel('Note, for admins only').fill('Scratched, seen on a photo');
  await expect(form.getByLabel('Cancel the order too')).toHaveCount(0);
  await form.getByRole('button', { name: 'Refund ৳250.50' }).click();
  const dialog = admin.getByRole('dialog', { name: 'Refund ৳250.50?' });
  await expect(dialog).toContainText('৳250.50 of the ৳1,000');
  await expect(dialog.getByRole('button', { name: 'Keep payment' })).toBeFocused();
  await dialog.getByRole('button', { name: 'Refund', exact: true }).click();

  await expect(dialog).toHaveCount(0);
  await expect(form).toHaveCount(0);
  await expect(drawer(admin).getByRole('region', { name: 'Payment' })).toContainText('Refunded ৳250.50');
  await expect(history(admin)).toContainText('Refund granted (৳250.50): damaged item');
  await expect(history(admin)).toContainText('Scratched, seen on a photo');
  await expect(row(admin, 'Ichamati').getByRole('button', { name: /^DELIVER/ })).toBeVisible();

  await expect(shopper.getByText('Refunded ৳250.50').first()).toBeVisible();
  await expect(history(shopper)).toContainText('Refunded (৳250.50)');
  await expect(history(shopper)).toContainText('the item was damaged');
  await expect(history(shopper)).not.toContainText('Scratched');
  await expect(headline(shopper)).toHaveText('Paid');
  expect(await stayed()).toBe(true);

  // The form now offers the rest of the payment.
  await drawer(admin).getByRole('button', { name: 'Refund' }).click();
  await expect(form.getByRole('radio', { name: 'All that is left, ৳749.50' })).toBeChecked();
});

test('PAY8 when an admin refunds and cancels an order, its row leaves the board, its items return to the stock, and the customer sees both', async ({
  person,
}) => {
  const admin = await person(PEOPLE.admin);
  const shopper = await person(PEOPLE.shopper);
  const productId = await sell(admin, 'Karatoya Board');
  const before = await stockOf(admin, productId);
  const id = await placePaid(shopper, productId, { name: 'Karatoya' });
  expect(await stockOf(admin, productId)).toBe(before - 1);
  await shopper.goto(`/dashboard/myorders/${id}`);
  await expect(headline(shopper)).toHaveText('Paid');

  await openBoard(admin, `?q=karatoya&order=${id}`);
  await expect(row(admin, 'Karatoya')).toBeVisible();
  await drawer(admin).getByRole('button', { name: 'Refund' }).click();
  const form = refundForm(admin);
  await expect(form.getByLabel('Cancel the order too')).toBeChecked();
  await form.getByRole('button', { name: 'Refund ৳1,000' }).click();
  const dialog = admin.getByRole('dialog', { name: 'Refund ৳1,000?' });
  await expect(dialog).toContainText('1 × Karatoya Board goes back on the shelf');
  await dialog.getByRole('button', { name: 'Refund and cancel' }).click();

  await expect(drawer(admin)).toContainText('Cancelled by an admin.');
  await admin.getByRole('heading', { level: 1 }).click();
  await expect(row(admin, 'Karatoya')).toHaveCount(0);
  await expect.poll(() => stockOf(admin, productId)).toBe(before);
  await expect(headline(shopper)).toHaveText('Cancelled');
  await expect(shopper.getByText(/Nothing will be sent\. Refunded ৳1,000\./)).toBeVisible();
});

test('ORD14 an order whose money went back cannot be shipped from the board, which says why', async ({ person }) => {
  const admin = await person(PEOPLE.admin);
  const shopper = await person(PEOPLE.shopper);
  const productId = await sell(admin, 'Atrai Board');
  const held = await placePaid(shopper, productId, { name: 'Atrai held' });
  await placePaid(shopper, productId, { name: 'Atrai free' });
  await openBoard(admin, `?q=atrai&order=${held}`);
  await expect(row(admin, 'Atrai held').getByRole('button', { name: /^DELIVER/ })).toBeVisible();

  await drawer(admin).getByRole('button', { name: 'Refund' }).click();
  await refundForm(admin).getByLabel('Cancel the order too').uncheck();
  await refundForm(admin).getByRole('button', { name: 'Refund ৳1,000' }).click();
  const dialog = admin.getByRole('dialog', { name: 'Refund ৳1,000?' });
  await expect(dialog).toContainText('it can no longer be shipped');
  await dialog.getByRole('button', { name: 'Refund', exact: true }).click();

  await expect(row(admin, 'Atrai held')).toContainText('Refunded');
  await expect(row(admin, 'Atrai held').getByRole('button', { name: /^DELIVER/ })).toHaveCount(0);
  await expect(drawer(admin)).toContainText('This order cannot be shipped: its money went back to the customer.');
  await expect(drawer(admin).getByRole('button', { name: 'DELIVER' })).toHaveCount(0);
  await drawer(admin).getByRole('button', { name: 'Close' }).click();

  const open = row(admin, 'Atrai held').getByRole('button', { name: /^Open order/ });
  await open.focus();
  await admin.keyboard.press('s');
  await expect(admin.getByRole('status', { name: 'Keys' })).toContainText('its money went back to the customer');
  await admin.keyboard.press('Control+a');
  await expect(admin.getByText('2 selected')).toBeVisible();
  await admin.getByRole('button', { name: 'Ship 1' }).click();
  await expect(row(admin, 'Atrai free')).toContainText('SHIPPED');
  await expect(row(admin, 'Atrai held')).toContainText('Refunded');
});

test('PAY7 after a declined card, the order’s page and its row in My orders say why and what to do', async ({
  person,
}) => {
  const admin = await person(PEOPLE.admin);
  const shopper = await person(PEOPLE.shopper);
  const productId = await sell(admin, 'Kopotakkho Board');
  const { insertedId: id } = (await callAs(shopper, 'POST', '/orders', {
    ...{ name: 'Kopotakkho', email: PEOPLE.shopper.email, phone: '01711000000', address: 'House 7, Dhaka' },
    ...{ product: 'Board', productId, quantity: 1 },
  })) as { insertedId: string };
  const other = await person(PEOPLE.shopper);
  await other.goto(`/dashboard/myorders/${id}`);
  await expect(headline(other)).toHaveText('Waiting for payment');
  await shopper.goto(`/dashboard/payment/${id}`);
  await fillCard(shopper, '4000000000000002');
  await shopper.getByRole('button', { name: 'PAY', exact: true }).click();

  await expect(other.getByRole('heading', { name: 'Your card was declined. Try another card.' })).toBeVisible();
  await expect(other.getByRole('link', { name: 'PAY NOW' })).toBeVisible();
  await expect(history(other)).toContainText('Payment failed: the card was declined');
  await other.getByRole('link', { name: 'My orders' }).last().click();
  await expect(other.getByRole('row').filter({ hasText: 'Kopotakkho Board' })).toContainText(
    'Card declined. Try another card.',
  );
  await callAs(shopper, 'DELETE', `/orders/${id}`);
});

/** Opens the demo's Stripe dashboard in another tab, and returns the part about an order's payment. */
async function paymentInDashboard(admin: Page, orderId: string) {
  const dashboard = await admin.context().newPage();
  await dashboard.goto('/demo-stripe/dashboard');
  const payment = dashboard.getByRole('article').filter({ hasText: orderId });
  await expect(payment).toBeVisible();
  return payment;
}

test('PAY6 ORD14 Z2 a refund made in Stripe’s dashboard appears on the open board, the customer’s page and the money page without a reload', async ({
  person,
}) => {
  const admin = await person(PEOPLE.admin);
  const shopper = await person(PEOPLE.shopper);
  const id = await placePaid(shopper, await sell(admin, 'Mahananda Board'), { name: 'Mahananda' });
  await shopper.goto(`/dashboard/myorders/${id}`);
  await expect(headline(shopper)).toHaveText('Paid');
  await openBoard(admin, '?q=mahananda');
  await expect(row(admin, 'Mahananda').getByRole('button', { name: /^DELIVER/ })).toBeVisible();
  const ledger = await admin.context().newPage();
  await ledger.goto('/dashboard/money');
  const entry = ledger.getByRole('row').filter({ has: ledger.locator(`a[href="/dashboard/allorder?order=${id}"]`) });
  // Only this cell changes at once. The shop reads Stripe's statements once a minute.
  const recorded = entry.getByRole('cell').nth(1);
  await expect(recorded).toHaveText('৳1,000.00');
  const stayed = await Promise.all([admin, shopper, ledger].map(watchForReload));

  const payment = await paymentInDashboard(admin, id);
  await payment.getByText('Refund', { exact: true }).click();
  await payment.getByRole('button', { name: 'Refund this amount' }).click();
  const clicked = Date.now();
  const shown = async (what: Promise<void>) => {
    await what;
    return Date.now() - clicked;
  };
  const [board, page, money] = await Promise.all([
    shown(expect(row(admin, 'Mahananda')).toContainText('Refunded')),
    shown(expect(headline(shopper)).toHaveText('Refunded')),
    shown(expect(recorded).toHaveText('–')),
  ]);
  test.info().annotations.push({ type: 'ms until shown', description: JSON.stringify({ board, page, money }) });
  await expect(row(admin, 'Mahananda').getByRole('button', { name: /^DELIVER/ })).toHaveCount(0);
  await expect(history(shopper)).toContainText('Refunded (৳1,000)');
  for (const hasStayed of stayed) expect(await hasStayed()).toBe(true);
});

test('PAY7 while Stripe processes a payment, the order’s page says so, and it becomes paid without a reload', async ({
  person,
}) => {
  const admin = await person(PEOPLE.admin);
  const shopper = await person(PEOPLE.shopper);
  const productId = await sell(admin, 'Punarbhaba Board');
  const id = await place(shopper, productId, { name: 'Punarbhaba' });
  const other = await person(PEOPLE.shopper);
  await other.goto(`/dashboard/myorders/${id}`);
  await expect(headline(other)).toHaveText('Waiting for payment');
  const stayed = await watchForReload(other);
  await shopper.goto(`/dashboard/payment/${id}`);
  await fillCard(shopper, '4000000000007015');
  await shopper.getByRole('button', { name: 'PAY', exact: true }).click();
  await expect(headline(other)).toHaveText('Your payment is being processed');
  await expect(other.getByRole('link', { name: 'PAY NOW' })).toHaveCount(0);
  await openBoard(admin, '?q=punarbhaba');
  await expect(row(admin, 'Punarbhaba')).toContainText('Payment');

  const payment = await paymentInDashboard(admin, id);
  await payment.getByRole('button', { name: 'Let the payment succeed' }).click();
  await expect(headline(other)).toHaveText('Paid');
  await expect(row(admin, 'Punarbhaba').getByRole('button', { name: /^DELIVER/ })).toBeVisible();
  expect(await stayed()).toBe(true);
});

test('PAY9 ORD14 a disputed order is held back on the open board, and can be cancelled once the dispute is lost', async ({
  person,
}) => {
  const admin = await person(PEOPLE.admin);
  const shopper = await person(PEOPLE.shopper);
  const productId = await sell(admin, 'Gomti Board');
  const before = await stockOf(admin, productId);
  const id = await placePaid(shopper, productId, { name: 'Gomti' });
  await openBoard(admin, `?q=gomti&order=${id}`);
  await expect(row(admin, 'Gomti').getByRole('button', { name: /^DELIVER/ })).toBeVisible();

  const payment = await paymentInDashboard(admin, id);
  await payment.getByText('Dispute', { exact: true }).click();
  await payment.getByRole('button', { name: 'Dispute this amount' }).click();
  await expect(row(admin, 'Gomti')).toContainText('Disputed');
  await expect(drawer(admin).getByRole('button', { name: 'Cancel order' })).toHaveCount(0);
  await payment.getByRole('button', { name: 'Shop loses' }).click();
  await expect(row(admin, 'Gomti')).toContainText('Money lost');
  await drawer(admin).getByRole('button', { name: 'Cancel order' }).click();
  await admin
    .getByRole('dialog')
    .getByRole('button', { name: /Cancel/ })
    .last()
    .click();
  await expect(drawer(admin)).toContainText('Cancelled by an admin.');
  await expect.poll(() => stockOf(admin, productId)).toBe(before);
});
