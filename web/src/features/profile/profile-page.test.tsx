import type { UserView } from '@micro-center/services/contracts/people/user-view.ts';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { closeApp, problem, push, showApp, stubShop } from '../../app/app.fixture.tsx';
import { signedIn } from '../../session/session-slice.ts';
import { CUSTOMER } from '../../shop/orders/order.fixture.ts';
import { Toasts } from '../../ui/toasts.tsx';
import ProfilePage from './profile-page.tsx';

afterEach(closeApp);

const PROFILE = {
  _id: 'eeeeeeeeeeeeeeeeeeeeeeee',
  email: CUSTOMER.email,
  name: CUSTOMER.name,
  role: 'customer',
  address: 'House 7',
  phone: '01711000000',
  education: 'BSc',
  social: '',
  registeredAt: '2026-01-01T08:00:00.000Z',
  version: 1,
};

async function show(refuse = false) {
  let profile = PROFILE;
  const bodies: unknown[] = [];
  stubShop({
    'GET /users/:id': () => [profile],
    'PUT /users/:id': ({ body }) => {
      bodies.push(body);
      if (refuse) return problem('internal');
      profile = { ...profile, ...(body as object), version: profile.version + 1 };
      return { acknowledged: true, matchedCount: 1, modifiedCount: 1, version: 2, token: 'customer-token' };
    },
  });
  const element = (
    <>
      <ProfilePage />
      <Toasts />
    </>
  );
  const { store } = showApp([{ path: '/', element }]);
  act(() => void store.dispatch(signedIn(CUSTOMER)));
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Edit Profile' }));
  const elsewhere = (changes: Partial<typeof PROFILE>) => {
    profile = { ...profile, ...changes, version: profile.version + 1 };
    push(store, 'user', profile as UserView);
  };
  return { user, bodies, elsewhere };
}

/** Renders a customer's profile. `erase` responds to the request to delete the account. */
async function open(erase: () => unknown = () => ({ acknowledged: true, deletedCount: 1 })) {
  const path = encodeURIComponent(CUSTOMER.email);
  const calls = stubShop({
    'GET /users/:id': () => [PROFILE],
    [`GET /users/${path}/export`]: () => ({ exportedAt: '2026-01-02T08:00:00.000Z', profile: PROFILE }),
    'DELETE /users/:id': erase,
  });
  const element = (
    <>
      <ProfilePage />
      <Toasts />
    </>
  );
  const { store } = showApp([{ path: '/', element }]);
  act(() => void store.dispatch(signedIn(CUSTOMER)));
  return { user: userEvent.setup(), calls, store };
}

function textOf(blob: Blob | undefined): Promise<string> {
  return new Promise((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.readAsText(blob ?? new Blob());
  });
}

describe('Profile', () => {
  it('F1 "Edit Profile" opens the form, and saving it shows a confirmation and the saved values', async () => {
    const { user, bodies } = await show();
    await user.type(screen.getByLabelText('Linkedin'), 'linkedin.com/in/rina');
    await user.clear(screen.getByLabelText('Address'));
    await user.type(screen.getByLabelText('Address'), 'Road 3');
    await user.click(screen.getByRole('button', { name: 'Save changes' }));
    expect(await screen.findByText('Profile updated successfully')).toBeTruthy();
    expect(await screen.findByText('linkedin.com/in/rina')).toBeTruthy();
    expect(screen.getByText('Road 3')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Edit Profile' })).toBeTruthy();
    expect(bodies).toEqual([
      {
        email: CUSTOMER.email,
        address: 'Road 3',
        phone: '01711000000',
        education: 'BSc',
        social: 'linkedin.com/in/rina',
      },
    ]);
  });

  it('F1 if the profile is changed elsewhere during editing, the form saves the new values of the fields that the user has not edited', async () => {
    const { user, bodies, elsewhere } = await show();
    await user.type(screen.getByLabelText('Linkedin'), 'linkedin.com/in/rina');
    elsewhere({ phone: '01899999999' });
    await waitFor(() => expect((screen.getByLabelText('Phone') as HTMLInputElement).value).toBe('01899999999'));
    await user.click(screen.getByRole('button', { name: 'Save changes' }));
    await screen.findByText('Profile updated successfully');
    expect(bodies).toMatchObject([{ phone: '01899999999', address: 'House 7', social: 'linkedin.com/in/rina' }]);
  });

  it('F1 the name and email fields on the profile form are read-only', async () => {
    await show();
    expect((screen.getByLabelText('Name') as HTMLInputElement).readOnly).toBe(true);
    expect((screen.getByLabelText('Email') as HTMLInputElement).readOnly).toBe(true);
  });

  it('F1 if saving the profile fails, the form stays open and keeps the entered text', async () => {
    const { user } = await show(true);
    await user.clear(screen.getByLabelText('Education'));
    await user.type(screen.getByLabelText('Education'), 'MSc');
    await user.click(screen.getByRole('button', { name: 'Save changes' }));
    expect(await screen.findByText('Something went wrong on our side.')).toBeTruthy();
    expect((screen.getByLabelText('Education') as HTMLInputElement).value).toBe('MSc');
  });

  it('F1 the profile form saves a phone number with a country code, spaces and hyphens', async () => {
    const { user, bodies } = await show();
    await user.clear(screen.getByLabelText('Phone'));
    await user.type(screen.getByLabelText('Phone'), '+880 1711-000000');
    await user.click(screen.getByRole('button', { name: 'Save changes' }));
    expect(await screen.findByText('Profile updated successfully')).toBeTruthy();
    expect(bodies).toMatchObject([{ phone: '+880 1711-000000' }]);
  });

  it('F1 the profile form rejects a phone number that has no digits', async () => {
    const { user, bodies } = await show();
    await user.clear(screen.getByLabelText('Phone'));
    await user.type(screen.getByLabelText('Phone'), 'call me');
    await user.click(screen.getByRole('button', { name: 'Save changes' }));
    expect(screen.getByText('A phone number has 3 to 15 digits.')).toBeTruthy();
    expect(bodies).toEqual([]);
  });

  it('ERASE1 "Download my data" saves everything stored about the customer as a file', async () => {
    const saved: Blob[] = [];
    vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: (blob: Blob) => `blob:${saved.push(blob)}` }));
    const clicked = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
    const { user, calls } = await open();
    await user.click(await screen.findByRole('button', { name: 'Download my data' }));
    await expect.poll(() => saved.length).toBe(1);
    expect(clicked.mock.contexts).toMatchObject([{ download: 'micro-center-my-data.json' }]);
    expect(JSON.parse(await textOf(saved[0]))).toMatchObject({ exportedAt: '2026-01-02T08:00:00.000Z' });
    expect(calls).toContain(`GET /users/${encodeURIComponent(CUSTOMER.email)}/export`);
  });

  it('ERASE1 "Delete my account" asks for confirmation, deletes the account and signs the user out', async () => {
    const { user, calls, store } = await open();
    const deleted = `DELETE /users/${encodeURIComponent(CUSTOMER.email)}`;
    await user.click(await screen.findByRole('button', { name: 'Delete my account' }));
    await user.click(await screen.findByRole('button', { name: 'Keep my account' }));
    expect(calls).not.toContain(deleted);
    await user.click(screen.getByRole('button', { name: 'Delete my account' }));
    const dialog = await screen.findByRole('dialog');
    await user.click(within(dialog).getByRole('button', { name: 'Delete my account' }));
    expect(await screen.findByText('Your account is deleted.')).toBeTruthy();
    expect(calls).toContain(deleted);
    expect(store.getState().session.status).toBe('signed-out');
  });

  it('ERASE1 if the account cannot be deleted because a paid order has not shipped yet, the profile page says so', async () => {
    const { user, store } = await open(() => problem('order_on_its_way'));
    await user.click(await screen.findByRole('button', { name: 'Delete my account' }));
    const dialog = await screen.findByRole('dialog');
    await user.click(within(dialog).getByRole('button', { name: 'Delete my account' }));
    expect(await within(dialog).findByText(/a paid order that has not shipped yet/)).toBeTruthy();
    expect(store.getState().session.status).toBe('signed-in');
  });
});
