import { placePaid, sell } from './buying.fixture.ts';
import { expect, liveDot, PEOPLE, test, watchForReload } from './shop.fixture.ts';

test('Z1 Z2 Z5 a paid order appears on the open money page without a reload, in words that say what Stripe has stated, and leads to the order', async ({
  person,
}) => {
  const admin = await person(PEOPLE.admin);
  const shopper = await person(PEOPLE.shopper);
  const productId = await sell(admin, 'Titas Board');
  await admin.goto('/dashboard/money');
  await expect(liveDot(admin)).toHaveText('Live');
  await expect(admin.getByRole('heading', { name: 'Everything else' })).toBeVisible();
  const stayed = await watchForReload(admin);
  const id = await placePaid(shopper, productId, { name: 'Titas' });

  const link = admin.locator(`a[href="/dashboard/allorder?order=${id}"]`);
  const row = admin.getByRole('row').filter({ has: link });
  await expect(row).toContainText('৳1,000.00');
  // The shop reads Stripe's statements once a minute.
  await expect(row).toContainText(/Stripe hasn't stated this yet|Matches/);
  await expect(row.getByRole('link', { name: /^Stripe/ })).toHaveAttribute('href', /^\/demo-stripe\/dashboard#pi_/);
  await expect(admin.getByRole('img', { name: /^BDT of the last 90 days/ })).toBeVisible();

  const [file] = await Promise.all([
    admin.waitForEvent('download'),
    admin.getByRole('button', { name: 'CSV of this period' }).click(),
  ]);
  expect(file.suggestedFilename()).toMatch(/^ledger-.*\.csv$/);
  expect(await stayed()).toBe(true);
  await link.click();
  await expect(admin.getByRole('region', { name: 'Order', exact: true })).toContainText('Titas');
});
