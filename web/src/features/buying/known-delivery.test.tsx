import { screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { closeApp } from '../../app/app.fixture.tsx';
import { orderOf, productOf } from '../../shop/orders/order.fixture.ts';
import { show } from './buy-page.fixture.tsx';

afterEach(closeApp);

describe('the known address and phone', () => {
  const profile = (fields: object) => ({ 'GET /users/:id': () => [{ address: '', phone: '', ...fields }] });
  const last = { 'GET /individual': () => [{ ...orderOf(), address: 'Last House', phone: '01799000000' }] };
  const shown = (label: RegExp) => (screen.getByLabelText(label) as HTMLInputElement).value;

  it('P4 fills in the address and phone from the profile, and does not save them as a draft', async () => {
    await show(undefined, productOf(), { ...profile({ address: 'House 9', phone: '01788000000' }), ...last });
    await waitFor(() => expect(shown(/^Address/)).toBe('House 9'));
    expect(shown(/^Phone/)).toBe('01788000000');
    expect({ ...sessionStorage }).toEqual({});
  });

  it('P4 fills in the address from the last order if the profile lacks it', async () => {
    await show(undefined, productOf(), { ...profile({ phone: '01788000000' }), ...last });
    await waitFor(() => expect(shown(/^Address/)).toBe('Last House'));
    expect(shown(/^Phone/)).toBe('01788000000');
  });

  const heldProfile = () => {
    let answer: (profile: unknown) => void = () => {};
    const held = new Promise((resolve) => {
      answer = resolve;
    });
    return { answers: { 'GET /users/:id': () => held, ...last }, answer };
  };

  it('P4 does not replace an address that was typed before the profile loaded', async () => {
    const { answers, answer } = heldProfile();
    const { user } = await show(undefined, productOf(), answers);
    await user.type(screen.getByLabelText(/^Address/), 'House 7');
    answer([{ address: 'House 9', phone: '01788000000' }]);
    await waitFor(() => expect(shown(/^Phone/)).toBe('01788000000'));
    expect(shown(/^Address/)).toBe('House 7');
  });

  it('P4 does not fill in the field that has the cursor', async () => {
    const { answers, answer } = heldProfile();
    const { user } = await show(undefined, productOf(), answers);
    await user.click(screen.getByLabelText(/^Address/));
    answer([{ address: 'House 9', phone: '01788000000' }]);
    await waitFor(() => expect(shown(/^Phone/)).toBe('01788000000'));
    expect(shown(/^Address/)).toBe('');
  });
});
