import type { ProductView } from '../../services/contracts/product/product-view.ts';
import { openBoard, place, row } from './board.fixture.ts';
import { sell } from './buying.fixture.ts';
import { callAs, expect, liveDot, PEOPLE, signIn, test, tokenOf, watchForReload } from './shop.fixture.ts';

test('A1 C13 the order board keeps its search and filter in the URL, and orders enter and leave the filtered list live', async ({
  person,
}) => {
  const admin = await person(PEOPLE.admin);
  const shopper = await person(PEOPLE.shopper);
  const productId = await sell(admin, 'Rupsha Slim');
  await openBoard(admin);
  await admin.getByRole('searchbox', { name: 'Search orders' }).fill('rupsha');
  await expect(admin).toHaveURL(/\?q=rupsha$/);
  await expect(admin.getByRole('heading', { name: 'No order matches' })).toBeVisible();
  const stayed = await watchForReload(admin);
  const id = await place(shopper, productId, { product: 'Rupsha Slim' });
  await place(shopper, await sell(admin, 'Turag Wide'), { product: 'Turag Wide' });
  await expect(row(admin, 'Rupsha Slim')).toHaveCount(1);
  await expect(row(admin, 'Turag Wide')).toHaveCount(0);
  await admin.getByText('To deliver', { exact: true }).click();
  await expect(admin).toHaveURL(/\?q=rupsha&status=paid$/);
  await expect(row(admin, 'Rupsha Slim')).toHaveCount(0);
  await admin.getByRole('radiogroup').getByText('Payment pending').click();
  await expect(row(admin, 'Rupsha Slim')).toHaveCount(1);
  await callAs(shopper, 'DELETE', `/orders/${id}`);
  await expect(row(admin, 'Rupsha Slim')).toHaveCount(0);
  expect(await stayed()).toBe(true);
  // A reload of the same address restores the search and the filter.
  await admin.reload();
  await expect(admin.getByRole('searchbox', { name: 'Search orders' })).toHaveValue('rupsha');
  await expect(admin.getByRole('radio', { name: 'Payment pending' })).toBeChecked();
});

test('A5 C9 an admin can edit and restock a product, but is warned first if its stock has changed in the meantime', async ({
  person,
}) => {
  const admin = await person(PEOPLE.admin);
  const shopper = await person(PEOPLE.shopper);
  const id = await sell(admin, 'Halda Mini');
  await admin.goto('/dashboard/manageproduct');
  await admin.getByRole('searchbox', { name: 'Search products' }).fill('halda');
  await expect(admin).toHaveURL(/\?q=halda$/);
  await admin.getByRole('link', { name: 'Edit Halda Mini' }).click();
  await expect(admin).toHaveTitle('Edit Product - Micro Center');
  const form = admin.getByRole('form', { name: 'Product' });
  await form.getByLabel('Quantity').fill('6000');
  await form.getByLabel('Second image address').fill('/casings/heron-mini-rear.svg');
  await form.getByLabel('Rated').fill('Rated for 650 W');
  await place(shopper, id, { product: 'Halda Mini', quantity: 3 });
  await form.getByRole('button', { name: 'Save product' }).click();
  await expect(form.getByText('The stock changed meanwhile: 4997 in stock now')).toBeVisible();
  await expect(form.getByLabel('Quantity')).toHaveValue('6000');
  await form.getByRole('button', { name: 'Save product' }).click();
  await expect(admin.getByText('Product saved')).toBeVisible();
  await expect(admin).toHaveURL(/\/dashboard\/manageproduct/);
  await expect(admin.getByRole('row').filter({ hasText: 'Halda Mini' })).toContainText('6000');
  const product = (await (await admin.request.get(`/products/${id}`)).json()) as ProductView;
  expect(product).toMatchObject({ quantity: 6000, rated: 'Rated for 650 W', img2: '/casings/heron-mini-rear.svg' });
});

test("O1 an order's timeline shows new events live, and can still be viewed after the order is cancelled", async ({
  person,
}) => {
  const admin = await person(PEOPLE.admin);
  const shopper = await person(PEOPLE.otherShopper);
  const productId = await sell(admin, 'Bhairab Tall');
  const own = { name: PEOPLE.otherShopper.name, email: PEOPLE.otherShopper.email, product: 'Bhairab Tall' };
  const id = await place(shopper, productId, own);
  await shopper.goto(`/dashboard/myorders/${id}`);
  await expect(liveDot(shopper)).toHaveText('Live');
  const stayed = await watchForReload(shopper);
  await expect(shopper.getByText('Order placed')).toBeVisible();
  await callAs(shopper, 'POST', '/create-payment-intent', { orderId: id, totalPrice: 1000 });
  await expect(shopper.getByText('Payment started')).toBeVisible();
  await callAs(admin, 'DELETE', `/orders/${id}`);
  await expect(shopper.getByRole('heading', { level: 1 })).toHaveText('Cancelled');
  await expect(shopper.getByText('Payment given up')).toBeVisible();
  await shopper.getByRole('link', { name: 'My orders' }).last().click();
  await shopper.getByRole('button', { name: /^Cancelled orders/ }).click();
  await shopper.getByRole('link', { name: /Bhairab Tall/ }).click();
  await expect(shopper.getByRole('list', { name: 'Everything that happened' })).toContainText('Payment given up');
  expect(await stayed()).toBe(true);
});

test('A6 C4 an admin can search for a user by e-mail address, regardless of case', async ({ person, visitor }) => {
  const admin = await person(PEOPLE.admin);
  const shopper = await visitor();
  await signIn(shopper, PEOPLE.shopper);
  expect(await tokenOf(shopper)).not.toBeNull();
  await admin.goto('/dashboard/allUsers');
  await admin.getByRole('searchbox', { name: 'Search users' }).fill(PEOPLE.shopper.email.toUpperCase());
  const users = admin.getByRole('table', { name: 'Users' }).locator('tr[data-index]');
  await expect(users).toHaveCount(1);
  await expect(users).toContainText(PEOPLE.shopper.email);
});
