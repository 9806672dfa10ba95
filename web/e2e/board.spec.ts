import type { Page } from '@playwright/test';
import { deliver, placePaid, sell } from './buying.fixture.ts';
import { callAs, expect, liveDot, PEOPLE, register, test } from './shop.fixture.ts';

/** A typical morning's backlog of orders. */
const ORDERS = 30;

const rows = (page: Page) => page.getByRole('table', { name: 'Orders' }).locator('tr[data-index]');
const row = (page: Page, text: string) => rows(page).filter({ hasText: text });
const alert = (page: Page, name: string) => page.getByRole('alertdialog', { name });

async function openBoard(admin: Page, search: string): Promise<void> {
  await admin.goto(`/dashboard/allorder${search}`);
  await expect(liveDot(admin)).toHaveText('Live');
}

const isShipped = async (admin: Page, id: string) =>
  ((await callAs(admin, 'GET', `/orders/${id}`)) as { status: string }).status === 'shipped';

test('W3 W5 W7 W8 an admin can use the keyboard to ship thirty paid orders one by one and undo the last shipment, and can then select thirty more orders and ship them together', async ({
  person,
}, info) => {
  test.slow();
  const admin = await person(PEOPLE.admin);
  const shopper = await person(PEOPLE.shopper);
  await admin.setViewportSize({ width: 1280, height: 800 });
  const productId = await sell(admin, 'Rupali Board');
  const place = async (name: string) => {
    const oldest = await placePaid(shopper, productId, { name: `${name} first` });
    const others = Array.from({ length: ORDERS - 1 }, () => placePaid(shopper, productId, { name }));
    return [oldest, ...(await Promise.all(others))];
  };

  const byKeys = await place('Keyed');
  await openBoard(admin, '?status=paid&q=keyed');
  // The oldest order comes first.
  await expect(rows(admin).first()).toContainText('Keyed first');
  const seen = await rows(admin).evaluateAll(
    (all) => all.filter((one) => one.getBoundingClientRect().bottom <= window.innerHeight).length,
  );
  expect(seen).toBeGreaterThanOrEqual(14);

  await admin.getByRole('heading', { level: 1 }).click();
  await admin.keyboard.press('j');
  await expect(
    row(admin, 'Keyed first')
      .first()
      .getByRole('button', { name: /^Open order/ }),
  ).toBeFocused();
  const began = Date.now();
  for (let n = 0; n < ORDERS; n += 1) {
    const shipped = rows(admin).nth(n);
    await admin.keyboard.press('s');
    await expect(admin.locator(`tr[data-index="${n}"]`)).toContainText('SHIPPED');
    if (n === 0) await expect(shipped).toContainText('Keyed first');
  }
  const took = Date.now() - began;
  expect(took).toBeLessThan(25_000);
  await expect.poll(async () => Promise.all(byKeys.map((id) => isShipped(admin, id)))).not.toContain(false);
  // The focus is still in a row.
  expect(await admin.evaluate(() => document.activeElement?.closest('tr') !== null)).toBe(true);

  // The notice doesn't cover any row, and the u key undoes the last shipment.
  const notice = alert(admin, 'Shipped');
  await expect(notice).toContainText('Keyed, 1 × Rupali Board');
  const bottom = (await notice.boundingBox().then((box) => box && box.y + box.height)) ?? 0;
  const head = await admin.locator('thead th').first().boundingBox();
  expect(bottom).toBeLessThanOrEqual((head?.y ?? 0) + 1);
  await admin.keyboard.press('u');
  await expect(alert(admin, 'Taken back')).toBeVisible();
  const left = await Promise.all(byKeys.map((id) => isShipped(admin, id)));
  expect(left.filter((shipped) => !shipped)).toHaveLength(1);

  const selected = await place('Chosen');
  await openBoard(admin, '?status=paid&q=chosen');
  await expect(rows(admin).first()).toContainText('Chosen first');
  const chose = Date.now();
  await admin.getByRole('heading', { level: 1 }).click();
  await admin.keyboard.press('Control+a');
  await expect(admin.getByText(`${ORDERS} selected`)).toBeVisible();
  await admin.keyboard.press('s');
  await expect(alert(admin, 'Shipped')).toContainText(`${ORDERS} of ${ORDERS} orders are set to shipped.`);
  const choosing = Date.now() - chose;
  await expect.poll(async () => Promise.all(selected.map((id) => isShipped(admin, id)))).not.toContain(false);
  await expect(admin.getByRole('heading', { name: 'No order matches' })).toBeVisible();
  await expect(alert(admin, 'Shipped')).toBeVisible();
  info.annotations.push({ type: 'keys', description: `${took} ms one by one, ${choosing} ms by selection` });
});

test("W1 W6 W10 Q1 an order that arrives while the pointer is over the rows doesn't move them, and scanning an order's number opens that order beside the list and marks it as being packed", async ({
  person,
  visitor,
}) => {
  const admin = await person(PEOPLE.admin);
  const shopper = await person(PEOPLE.shopper);
  const productId = await sell(admin, 'Meghna Board');
  const wanted = await placePaid(shopper, productId, { name: 'Wanted' });
  await placePaid(shopper, productId, { name: 'Neighbour' });
  await openBoard(admin, '?q=meghna');
  const button = row(admin, 'Wanted').getByRole('button', { name: /^DELIVER/ });
  await button.hover();
  const late = await placePaid(shopper, productId, { name: 'Latecomer' });
  await expect(admin.getByRole('button', { name: 'Show 1 new order' })).toBeVisible();
  await admin.mouse.down();
  await admin.mouse.up();
  await expect(row(admin, 'Wanted')).toContainText('SHIPPED');
  await expect.poll(() => isShipped(admin, wanted)).toBe(true);
  expect(await isShipped(admin, late)).toBe(false);
  // The focus is now on the next row's DELIVER button. The Enter that ends a scan must not press that button.
  await expect(row(admin, 'Neighbour').getByRole('button', { name: /^DELIVER/ })).toBeFocused();
  const { number } = (await callAs(admin, 'GET', `/orders/${late}`)) as { number: string };
  await admin.evaluate((code) => {
    for (const key of [...code, 'Enter']) {
      const pressed = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true });
      const goesOn = document.activeElement?.dispatchEvent(pressed);
      if (key === 'Enter' && goesOn && document.activeElement instanceof HTMLElement) document.activeElement.click();
    }
  }, number);
  await expect(admin).toHaveURL(new RegExp(`order=${late}`));
  expect(await isShipped(admin, late)).toBe(false);
  // While the order is open in the drawer, every cell of another order's row can be clicked, and that order can be
  // shipped.
  await admin.setViewportSize({ width: 1280, height: 800 });
  await expect(admin.getByRole('region', { name: 'Deliver to' }).getByText('Latecomer')).toBeVisible();
  for (const cell of await row(admin, 'Neighbour').getByRole('cell').all()) await cell.click({ trial: true });
  await deliver(row(admin, 'Neighbour'));
  // While an admin has the order open, other admins see that this admin is packing it. The admin's own board doesn't
  // show the mark.
  const colleague = await visitor();
  await register(colleague, { name: 'Rafi Alam', email: 'rafi@shop.test', password: 'packs-from-the-top' });
  await callAs(admin, 'PUT', '/users/admin/rafi@shop.test');
  await openBoard(colleague, '?q=meghna');
  await expect(row(colleague, 'Latecomer').getByRole('img', { name: / is packing$/ })).toBeVisible();
  await expect(row(admin, 'Latecomer').getByRole('img')).toHaveCount(0);
  await admin.locator('[data-order-drawer]').getByRole('button', { name: 'Close', exact: true }).click();
  await expect(row(colleague, 'Latecomer').getByRole('img')).toHaveCount(0);
});
