import type { OrderView } from '@micro-center/services/contracts/order/order-view.ts';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { closeApp, problem } from '../../app/app.fixture.tsx';
import { signedIn, signedOut } from '../../session/session-slice.ts';
import { CUSTOMER, orderOf, PAID, updated } from '../../shop/orders/order.fixture.ts';
import { halfAnHourAfterPlacing, ID, PATH, push, show } from './order-page.fixture.tsx';

beforeEach(halfAnHourAfterPlacing);
afterEach(closeApp);

describe('the delivery section', () => {
  /** Opens the form that changes the address and phone. `sent` returns the most recently saved values. */
  async function changeDelivery() {
    let saved: unknown;
    show(orderOf(), {
      [`PUT /orders/${ID}/delivery`]: ({ body }) => {
        saved = body;
        return updated;
      },
    });
    const user = userEvent.setup();
    await user.click(await screen.findByRole('button', { name: 'Change address or phone' }));
    const form = within(screen.getByRole('form', { name: 'Change address or phone' }));
    return { user, form, sent: () => saved };
  }

  it('O5 customers can edit the delivery address in place, and the pushed change appears on the page', async () => {
    const { user, form, sent } = await changeDelivery();
    const address = form.getByRole('textbox', { name: /Address/ });
    expect(document.activeElement).toBe(address);
    await user.clear(address);
    await user.click(form.getByRole('button', { name: 'Save' }));
    form.getByText('Enter the address to deliver to.');
    await user.type(address, 'House 9, Sylhet');
    await user.click(form.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(screen.queryByRole('form')).toBeNull());
    expect(sent()).toEqual({ address: 'House 9, Sylhet', phone: '01711000000' });
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Change address or phone' }));
    push(orderOf({ address: 'House 9, Sylhet', deliveryChangedAt: '2026-01-01T10:31:00.000Z', version: 2 }));
    await screen.findByText('House 9, Sylhet');
  });

  it.each<[string, Partial<OrderView>]>([
    ['is cancelled', { cancelledAt: '2026-01-01T10:31:00.000Z', cancelReason: 'customer' }],
    ['is refunded', { heldBack: 'refunded' }],
    ['is lost to a dispute', { heldBack: 'lost' }],
  ])('O5 the order page does not offer to edit the address once the order %s', async (_, change) => {
    show(orderOf(change));
    await screen.findByRole('heading', { name: 'Delivery' });
    expect(screen.queryByRole('button', { name: 'Change address or phone' })).toBeNull();
  });

  it('O5 if the order changes during editing, fields the customer has not edited are saved with their new values', async () => {
    const { user, form, sent } = await changeDelivery();
    await user.type(form.getByRole('textbox', { name: /Address/ }), ', Block C');
    push(orderOf({ address: 'Elsewhere', phone: '01899999999', version: 2 }));
    await waitFor(() => expect((form.getByLabelText(/Phone/) as HTMLInputElement).value).toBe('01899999999'));
    await user.click(form.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(screen.queryByRole('form')).toBeNull());
    expect(sent()).toEqual({ address: `${orderOf().address}, Block C`, phone: '01899999999' });
  });

  it('P5 the text in the delivery form survives an expired session if the same user signs in again', async () => {
    const { router, store } = show(orderOf());
    const user = userEvent.setup();
    await user.click(await screen.findByRole('button', { name: 'Change address or phone' }));
    await user.type(screen.getByRole('textbox', { name: /Address/ }), ', Block C');
    act(() => void store.dispatch(signedOut({ reason: 'expired' })));
    await act(() => router.navigate('/login'));
    act(() => void store.dispatch(signedIn(CUSTOMER)));
    await act(() => router.navigate(PATH));
    const address = await screen.findByRole<HTMLInputElement>('textbox', { name: /Address/ });
    expect(address.value).toBe(`${orderOf().address}, Block C`);
    await user.click(screen.getByRole('button', { name: 'Keep as it was' }));
    expect({ ...sessionStorage }).toEqual({});
  });

  it('O5 if the order has shipped in the meantime, the page says why the address change was refused', async () => {
    show(orderOf(PAID), { [`PUT /orders/${ID}/delivery`]: () => problem('order_shipped') });
    await userEvent.click(await screen.findByRole('button', { name: 'Change address or phone' }));
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByText('This order has already been shipped.');
  });
});
