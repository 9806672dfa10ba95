import type { Locator, Page } from '@playwright/test';
import {
  callAs,
  expect,
  fillSignIn,
  liveDot,
  PEOPLE,
  register,
  signIn,
  test,
  tokenOf,
  watchForReload,
} from './shop.fixture.ts';

const drawer = (page: Page) => page.getByRole('navigation', { name: 'Dashboard' });
const bar = (page: Page) => page.getByRole('navigation', { name: 'Main' });

/**
 * Opens the demo mailbox and clicks the link named `action` in the mail sent to `email`. Returns the page that the link
 * opens.
 */
async function openMail(page: Page, email: string, action: string): Promise<Page> {
  await page.getByRole('button', { name: 'Open the demo mailbox' }).click();
  const mail = page.getByRole('dialog', { name: 'Demo mailbox' }).getByRole('listitem').filter({ hasText: email });
  const opened = page.waitForEvent('popup');
  await mail.getByRole('link', { name: action, exact: true }).click();
  return opened;
}

async function expectSignedOut(page: Page): Promise<void> {
  await expect(bar(page).getByRole('link', { name: 'Login' })).toBeVisible();
  await expect(bar(page).getByRole('button', { name: 'Sign out' })).toHaveCount(0);
  expect(await tokenOf(page)).toBeNull();
}

/** Locates the value of a term in a description list. */
const factOf = (page: Page, term: string): Locator =>
  page.getByText(term, { exact: true }).locator('xpath=following-sibling::dd[1]');

test('I1 R5 F1 registering signs the user in under the given name, and the link in the verification e-mail works only once', async ({
  page,
}) => {
  const salma = { name: 'Salma Khatun', email: 'salma@shop.test', password: 'first-things-first' };
  await register(page, salma);
  await page.goto('/dashboard/profile');
  await expect(factOf(page, 'Name')).toHaveText(salma.name);
  await expect(factOf(page, 'Email')).toHaveText(salma.email);

  const verified = await openMail(page, salma.email, 'Verify');
  await expect(verified.getByRole('heading', { name: 'Your email is verified' })).toBeVisible();
  await verified.reload();
  await expect(verified.getByRole('heading', { name: 'Your email was not verified' })).toBeVisible();
});

test('I2 I5 R4 sign-in stores the access token, a reload keeps the session, and sign-out ends it', async ({ page }) => {
  await page.goto('/login');
  await expect(page.getByRole('form', { name: 'Create an account' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Continue with Google' })).toBeVisible();
  expect(await tokenOf(page)).toBeNull();
  await fillSignIn(page, PEOPLE.otherShopper);
  await expect(bar(page).getByRole('button', { name: 'Sign out' })).toBeVisible();
  await expect(page).toHaveURL(/\/$/);
  const profile = `/users/${PEOPLE.otherShopper.email}`;
  expect(await callAs(page, 'GET', profile)).toMatchObject([{ email: PEOPLE.otherShopper.email }]);

  await page.reload();
  await expect(bar(page).getByRole('link', { name: 'Dashboard' })).toBeVisible();
  await bar(page).getByRole('button', { name: 'Sign out' }).click();
  await expectSignedOut(page);
  await page.reload();
  await expectSignedOut(page);
});

test("I2 choosing a Google account in the demo dialog signs the user in under that account's name", async ({
  page,
}) => {
  await page.goto('/login');
  await page.getByRole('button', { name: 'Continue with Google' }).click();
  const form = page.getByRole('form', { name: 'Demo Google account' });
  await form.getByLabel('Name').fill('Rafiq Google');
  await form.getByLabel('Google email').fill('Rafiq@Gmail.test');
  await form.getByRole('button', { name: 'Sign in with this account' }).click();
  await expect(bar(page).getByRole('button', { name: 'Sign out' })).toBeVisible();
  await page.goto('/dashboard');
  await expect(drawer(page)).toContainText('Rafiq Google');
  await expect(drawer(page)).toContainText('rafiq@gmail.test');
});

test("I3 a wrong password shows the identity provider's message, and the right password then signs the user in", async ({
  page,
}) => {
  await page.goto('/login');
  await fillSignIn(page, { ...PEOPLE.otherShopper, password: 'not-the-password' });
  await expect(page.getByRole('alert')).toContainText(/^Error: Firebase: .+\(auth\/[a-z-]+\)/);
  await expect(page.getByRole('alert')).toBeFocused();
  expect(await tokenOf(page)).toBeNull();
  await fillSignIn(page, PEOPLE.otherShopper);
  await expect(bar(page).getByRole('button', { name: 'Sign out' })).toBeVisible();
});

test('I4 the link in a password reset e-mail lets the user set a new password, and the old password stops working', async ({
  page,
  visitor,
}) => {
  const jamal = { name: 'Jamal Uddin', email: 'jamal@shop.test', password: 'the-old-password' };
  await register(await visitor(), jamal);
  await page.goto('/login');
  const reset = page.getByRole('button', { name: /reset email/ });
  await reset.click();
  await expect(page.getByText('Please enter your email')).toBeVisible();
  await page.getByRole('form', { name: 'Sign in' }).getByLabel('Email').fill(jamal.email);
  await reset.click();
  await expect(page.getByText('Email successfully sent')).toBeVisible();

  const renewed = { ...jamal, password: 'the-new-password' };
  const action = await openMail(page, jamal.email, 'Choose a password');
  await action.getByLabel('New password').fill(renewed.password);
  await action.getByRole('button', { name: 'Save new password' }).click();
  await expect(action.getByRole('heading', { name: 'Your password is changed' })).toBeVisible();

  await page.reload();
  await fillSignIn(page, jamal);
  await expect(page.getByRole('alert')).toContainText('Error: ');
  await signIn(page, renewed);
});

test('R21 a visitor who must sign in to see a page returns to that page after signing in, with its query string intact', async ({
  page,
}) => {
  await page.goto('/dashboard/addreview?item=heron');
  await expect(page).toHaveURL(/\/login$/);
  await fillSignIn(page, PEOPLE.otherShopper);
  await expect(page).toHaveURL(/\/dashboard\/addreview\?item=heron$/);
  await expect(page.getByRole('heading', { name: 'Add a review' })).toBeVisible();
});

test('R22 a customer who opens an admin page is signed out and sent to /login, and signing in does not lead back to that page', async ({
  person,
}) => {
  const page = await person(PEOPLE.otherShopper);
  await page.goto('/dashboard/allUsers');
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByText('That page is for admins')).toBeVisible();
  await expectSignedOut(page);
  await fillSignIn(page, PEOPLE.otherShopper);
  await expect(bar(page).getByRole('button', { name: 'Sign out' })).toBeVisible();
  await expect(page).toHaveURL(/\/$/);
});

test("A6 AUTH2 R20 granting or revoking a user's admin role immediately updates the drawer in that user's open browser", async ({
  person,
  visitor,
}) => {
  const mina = { name: 'Mina Das', email: 'mina@shop.test', password: 'waiting-for-keys' };
  const user = await visitor();
  await register(user, mina);
  await bar(user).getByRole('link', { name: 'Dashboard' }).click();
  await expect(drawer(user).getByRole('link')).toHaveText(['Profile', 'My orders', 'Add a review']);
  await expect(liveDot(user)).toHaveText('Live');
  const stayed = await watchForReload(user);

  const admin = await person(PEOPLE.admin);
  await admin.goto('/dashboard/allUsers');
  const row = admin.getByRole('row').filter({ hasText: mina.email });
  await expect(row).toContainText('customer');
  await row.getByRole('button', { name: 'MAKE ADMIN' }).click();
  await admin.getByRole('dialog').getByRole('button', { name: 'Make admin' }).click();
  await expect(admin.getByText('Successfully made an admin')).toBeVisible();
  await expect(row).toContainText('admin');
  await expect(row.getByRole('button', { name: 'MAKE ADMIN' })).toHaveCount(0);

  await expect(drawer(user).getByRole('link')).toHaveText([
    'Profile',
    'Add Product',
    'Manage Product',
    'Manage Orders',
    'Money',
    'All Users',
  ]);
  await drawer(user).getByRole('link', { name: 'All Users' }).click();
  await expect(user.getByRole('row').filter({ hasText: PEOPLE.admin.email })).toBeVisible();
  await drawer(user).getByRole('link', { name: 'Profile' }).click();

  await row.getByRole('button', { name: 'Remove admin' }).click();
  await admin.getByRole('dialog').getByRole('button', { name: 'Remove admin' }).click();
  await expect(admin.getByText(`${mina.email} is a customer again.`)).toBeVisible();
  await expect(drawer(user).getByRole('link')).toHaveText(['Profile', 'My orders', 'Add a review']);
  expect(await stayed()).toBe(true);
});
