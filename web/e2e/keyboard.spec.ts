import type { Locator, Page } from '@playwright/test';
import type { OrderView } from '../../services/contracts/order/order-view.ts';
import { GOOD_CARD, placePaid, sell } from './buying.fixture.ts';
import { callAs, expect, PEOPLE, signIn, test } from './shop.fixture.ts';

const PHONE = { width: 390, height: 844 };
const STOPS = 150;

/** Presses Tab until an element has the focus. @throws Error if that takes more than STOPS presses */
async function tabTo(page: Page, wanted: Locator): Promise<void> {
  await expect(wanted).toBeVisible();
  for (let stop = 0; stop < STOPS; stop += 1) {
    if (await wanted.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not reach ${wanted} in ${STOPS} stops.`);
}

async function press(page: Page, wanted: Locator): Promise<void> {
  await tabTo(page, wanted);
  await page.keyboard.press('Enter');
}

async function type(page: Page, field: Locator, words: string): Promise<void> {
  await tabTo(page, field);
  await page.keyboard.type(words);
}

/** Returns the start of the focused element's HTML if its style doesn't show that it has the focus, otherwise null. */
const unseenFocus = (page: Page): Promise<string | null> =>
  page.evaluate(async () => {
    const element = document.activeElement;
    if (!(element instanceof HTMLElement) || element === document.body) return null;
    const near = [element, element.parentElement, element.nextElementSibling].filter((one) => one !== null);
    const framed = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const looks = () =>
      near
        .map((one) => getComputedStyle(one))
        .map(({ outline, border, boxShadow, transform }) => [outline, border, boxShadow, transform].join())
        .join();
    // Waiting for one frame is enough each time, because React renders its changes in that frame, and transitions are
    // instant with reduced motion.
    await framed();
    const focused = looks();
    element.blur();
    await framed();
    const blurred = looks();
    element.focus();
    return focused === blurred ? element.outerHTML.slice(0, 160) : null;
  });

test("R19 the first Tab stop is a link that skips the navigation bar and leads to the page's content", async ({
  page,
}) => {
  await page.goto('/allproducts');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.keyboard.press('Tab');
  const skip = page.getByRole('link', { name: 'Skip to content' });
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport({ ratio: 1 });
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('main').getByRole('link', { name: /blogs/i })).toBeFocused();
});

test('R18 R19 opening a page moves the focus to its heading and announces its title', async ({ page }) => {
  await page.goto('/');
  const announced = page.getByRole('status', { name: 'Page' });
  await expect(announced).toBeEmpty();
  await press(page, page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Blogs' }));
  await expect(page.getByRole('heading', { level: 1, name: 'Blogs' })).toBeFocused();
  await expect(announced).toHaveText('Blogs - Micro Center');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('main').locator(':focus')).toHaveCount(1);
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`R19 the focus is always visible in the ${colorScheme} colour scheme`, async ({ page }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const path of ['/', '/allproducts', '/blogs', '/login', '/myportfolio']) {
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.keyboard.press('Tab');
      for (let stop = 0; stop < 24; stop += 1) {
        expect(await unseenFocus(page), path).toBeNull();
        await page.keyboard.press('Tab');
      }
    }
  });
}

test('R19 transitions and animations are instant for a visitor who prefers reduced motion', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto('/');
  await page.getByRole('heading', { level: 1 }).waitFor();
  const moving = await page.evaluate(() => {
    const seconds = (times: string) => Math.max(...times.split(',').map(Number.parseFloat));
    return [...document.querySelectorAll('*')]
      .filter((element) => {
        const { transitionDuration, animationDuration } = getComputedStyle(element);
        return Math.max(seconds(transitionDuration), seconds(animationDuration)) > 0;
      })
      .map((element) => element.outerHTML.slice(0, 120));
  });
  expect(moving).toEqual([]);
});

test('P1 P3 O1 O2 Y1 Y3 G4 K6 using only the keyboard, a shopper can place an order, pay for it, and share its tracking link', async ({
  person,
}) => {
  const page = await person(PEOPLE.otherShopper);
  await page.goto('/');
  await press(page, page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Products' }));
  await press(page, page.getByRole('link', { name: 'Norwester G7', exact: true }));
  await expect(page.getByRole('heading', { level: 1, name: 'Norwester G7' })).toBeVisible();
  await press(page, page.getByRole('link', { name: 'Buy now: Norwester G7' }));
  const form = page.getByRole('form', { name: 'Your order' });
  await type(page, form.getByLabel('Address'), 'House 7, Road 3');
  await type(page, form.getByLabel('Phone'), '01711000000');
  await press(page, form.getByRole('button', { name: 'BUY NOW' }));
  await expect(page).toHaveURL(/\/dashboard\/payment\/\w+$/);
  await type(page, page.getByLabel('Card number'), GOOD_CARD.replaceAll(' ', ''));
  await type(page, page.getByLabel('Expiry date'), '1234');
  await type(page, page.getByLabel('Security code'), '123');
  await press(page, page.getByRole('button', { name: 'PAY', exact: true }));
  await expect(page.getByText('Congrats! Your payment is completed.')).toBeVisible();
  await press(page, page.getByRole('button', { name: 'Change address or phone' }));
  const delivery = page.getByRole('form', { name: 'Change address or phone' });
  await type(page, delivery.getByLabel('Phone'), '01722000000');
  await press(page, delivery.getByRole('button', { name: 'Save' }));
  await expect(page.getByText('01722000000')).toBeVisible();
  await press(page, page.getByRole('main').getByRole('link', { name: 'My orders' }).last());
  const row = page.getByRole('row').filter({ hasText: 'Norwester G7' });
  await expect(row).toContainText('Paid');
  await press(page, row.getByRole('link', { name: 'Norwester G7' }));
  await expect(page).toHaveURL(/\/dashboard\/myorders\/\w+$/);
  await press(page, page.getByRole('button', { name: 'Share tracking link' }));
  const link = page.getByRole('textbox', { name: 'Tracking link' });
  await expect(link).toBeFocused();
  await page.goto(await link.inputValue());
  await expect(page.getByRole('heading', { level: 1, name: 'Getting ready' })).toBeVisible();
});

/**
 * Opens a dialog with the keyboard. Expects Tab to keep the focus in the dialog, and Escape to close it and return the
 * focus to the opener.
 */
async function expectKeepsKeyboard(page: Page, opener: Locator, dialog: Locator): Promise<void> {
  await press(page, opener);
  await expect(dialog).toBeVisible();
  const inside = () => dialog.evaluate((element) => element.contains(document.activeElement));
  await expect.poll(inside).toBe(true);
  for (const key of [...Array(8).fill('Tab'), ...Array(8).fill('Shift+Tab')]) {
    await page.keyboard.press(key);
    expect(await inside(), `after ${key}`).toBe(true);
  }
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(opener).toBeFocused();
}

test('AUTH4 I2 R20 the demo mailbox, the Google dialog and the drawer trap the focus, and Escape returns it to the button that opened them', async ({
  page,
}) => {
  await page.goto('/login');
  const dialog = (name: string) => page.getByRole('dialog', { name });
  await expectKeepsKeyboard(page, page.getByRole('button', { name: 'Open the demo mailbox' }), dialog('Demo mailbox'));
  const google = page.getByRole('button', { name: 'Continue with Google' });
  await expectKeepsKeyboard(page, google, dialog('Choose a Google account'));
  await signIn(page, PEOPLE.otherShopper);
  await page.setViewportSize(PHONE);
  await page.goto('/dashboard/profile');
  await expectKeepsKeyboard(page, page.getByRole('button', { name: 'Dashboard menu' }), dialog('Dashboard'));
});

test('O3 A2 A5 Y3 confirmation dialogs trap the focus, and Escape returns it to the button that opened them', async ({
  person,
}) => {
  const shopper = await person(PEOPLE.otherShopper);
  const products = (await callAs(shopper, 'GET', '/products')) as { _id: string; name: string; minorder: number }[];
  const product = products.find(({ name }) => name === 'Trellis Open Frame');
  if (product === undefined) throw new Error('The demo shop sells no Trellis Open Frame.');
  const order = {
    ...{ name: 'Nusrat Jahan', email: PEOPLE.otherShopper.email, phone: '01711000000', address: 'House 7' },
    ...{ product: product.name, productId: product._id, quantity: product.minorder },
  };
  const { insertedId } = (await callAs(shopper, 'POST', '/orders', order)) as { insertedId: string };

  await shopper.goto('/dashboard/myorders');
  const cancel = shopper
    .getByRole('row')
    .filter({ hasText: product.name })
    .getByRole('button', { name: 'CANCEL ORDER' });
  await expectKeepsKeyboard(shopper, cancel, shopper.getByRole('dialog', { name: 'Delete Order' }));

  await shopper.goto(`/dashboard/payment/${insertedId}`);
  await type(shopper, shopper.getByLabel('Card number'), '4000000000003220');
  await type(shopper, shopper.getByLabel('Expiry date'), '1234');
  await type(shopper, shopper.getByLabel('Security code'), '123');
  const pay = shopper.getByRole('button', { name: 'PAY', exact: true });
  await expectKeepsKeyboard(shopper, pay, shopper.getByRole('dialog', { name: '3-D Secure' }));

  const admin = await person(PEOPLE.admin);
  const question = admin.getByRole('dialog', { name: 'Are you sure?' });
  await admin.goto('/dashboard/allorder');
  const onBoard = admin
    .getByRole('row')
    .filter({ hasText: product.name })
    .getByRole('button', { name: /^Cancel order/ });
  await expectKeepsKeyboard(admin, onBoard, question);
  await admin.goto('/dashboard/manageproduct');
  const remove = admin
    .getByRole('row')
    .filter({ hasText: product.name })
    .getByRole('button', { name: /delete/i });
  await expectKeepsKeyboard(admin, remove, question);
  await callAs(shopper, 'DELETE', `/orders/${insertedId}`);
});

test('R19 O3 A2 the focus is not lost when the focused element is removed by a push or by cancelling an order', async ({
  person,
}) => {
  const [admin, shopper] = [await person(PEOPLE.admin), await person(PEOPLE.shopper)];
  const productId = await sell(admin, 'Karnaphuli Board');
  const id = await placePaid(shopper, productId, { name: 'Karnaphuli' });
  const { number, version } = (await callAs(admin, 'GET', `/orders/${id}`)) as OrderView;
  await admin.goto('/dashboard/allorder?q=karnaphuli');
  await admin.getByRole('button', { name: `DELIVER ${number}` }).focus();
  await callAs(admin, 'PUT', `/orders/${id}`, { version });
  await expect(admin.getByRole('row').filter({ hasText: 'Karnaphuli' })).toContainText('SHIPPED');
  await expect(admin.getByRole('button', { name: `Open order ${number}` })).toBeFocused();

  const order = {
    ...{ name: 'Shopper', email: PEOPLE.shopper.email, phone: '01711000000', address: 'House 7' },
    ...{ product: 'Karnaphuli Board', productId, quantity: 1 },
  };
  const { insertedId } = (await callAs(shopper, 'POST', '/orders', order)) as { insertedId: string };
  await shopper.goto(`/dashboard/myorders/${insertedId}`);
  await press(shopper, shopper.getByRole('button', { name: 'CANCEL ORDER' }));
  await press(shopper, shopper.getByRole('dialog').getByRole('button', { name: 'Cancel order' }));
  await expect(shopper.getByRole('heading', { level: 1, name: 'Cancelled' })).toBeFocused();
});
