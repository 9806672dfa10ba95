import { screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { closeApp } from '../../app/app.fixture.tsx';
import { orderOf, productOf } from '../../shop/orders/order.fixture.ts';
import { show } from './buy-page.fixture.tsx';

afterEach(closeApp);

describe('filling in the customer’s known address and phone number', () => {
  const profile = (fields: object) => ({ 'GET /users/:id': () => [{ address: '', phone: '', ...fields }] });
  const last = { 'GET /individual': () => [{ ...orderOf(), address: 'Last House', phone: '01799000000' }] };
  const shown = (label: RegExp) => (screen.getByLabelText(label) as HTMLInputElement).value;

  it('P4 the address and phone number are filled in from the profile, and are not saved as a draft', async () => {
    await show(undefined, productOf(), { ...profile({ address: 'House 9', phone: '01788000000' }), ...last });
    await waitFor(() => expect(shown(/^Address/)).toBe('House 9'));
    expect(shown(/^Phone/)).toBe('01788000000');
    expect({ ...sessionStorage }).toEqual({});
  });

  it('P4 the address is filled in from the last order if the profile has none', async () => {
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

  it('P4 an address that was typed before the profile loaded is not replaced', async () => {
    const { answers, answer } = heldProfile();
    const { user } = await show(undefined, productOf(), answers);
    await user.type(screen.getByLabelText(/^Address/), 'House 7');
    answer([{ address: 'House 9', phone: '01788000000' }]);
    await waitFor(() => expect(shown(/^Phone/)).toBe('01788000000'));
    expect(shown(/^Address/)).toBe('House 7');
  });

  it('P4 a field that has the focus is not filled in from the profile', async () => {
    const { answers, answer } = heldProfile();
    const { user } = await show(undefined, productOf(), answers);
    await user.click(screen.getByLabelText(/^Address/));
    answer([{ address: 'House 9', phone: '01788000000' }]);
    await waitFor(() => expect(shown(/^Phone/)).toBe('01788000000'));
    expect(shown(/^Address/)).toBe('');
  });
});
