import { PROBLEMS } from '@micro-center/services/contracts/problems.ts';
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';
import { closeApp, problem, push } from '../../app/app.fixture.tsx';
import { signedIn, signedOut } from '../../session/session-slice.ts';
import { ADMIN, orderOf, PAID, SHIPPED, updated } from '../../shop/orders/order.fixture.ts';
import { ID, openDrawer } from './order-drawer.fixture.tsx';

afterEach(closeApp);

describe('shipping from the drawer', () => {
  it('Q2 A2 DELIVER sends the carrier, the tracking number and the order version that the admin saw', async () => {
    const { drawer, sent } = await openDrawer();
    await userEvent.selectOptions(await drawer.findByRole('combobox', { name: 'Carrier' }), 'RedX');
    // A scanner sends Enter after the scanned text.
    await userEvent.type(drawer.getByRole('textbox', { name: 'Tracking number' }), 'RX-20931{Enter}');
    await drawer.findByText('This product is set to shipped.');
    expect(sent).toEqual([
      { path: `/orders/${ID}`, body: { version: 3, carrier: 'redx', trackingNumber: 'RX-20931' } },
    ]);
  });

  it('P5 the entered carrier and tracking number are kept if the session expires and the admin signs in again', async () => {
    const { drawer, router, store } = await openDrawer();
    await userEvent.selectOptions(await drawer.findByRole('combobox', { name: 'Carrier' }), 'RedX');
    await userEvent.type(drawer.getByRole('textbox', { name: 'Tracking number' }), 'RX-20931');
    act(() => void store.dispatch(signedOut({ reason: 'expired' })));
    await act(() => router.navigate('/before'));
    act(() => void store.dispatch(signedIn(ADMIN)));
    await act(() => router.navigate(`/?order=${ID}`));
    const number = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Tracking number' });
    expect(number.value).toBe('RX-20931');
    expect(screen.getByRole<HTMLSelectElement>('combobox', { name: 'Carrier' }).value).toBe('redx');
  });

  it('Q2 DELIVER ships an order even if no tracking number is entered', async () => {
    const { drawer, sent } = await openDrawer();
    await userEvent.click(await drawer.findByRole('button', { name: 'DELIVER' }));
    await drawer.findByText('This product is set to shipped.');
    expect(sent.map(({ body }) => body)).toEqual([{ version: 3 }]);
  });

  it('Q2 if the shop refuses to ship an order, the order drawer says why', async () => {
    const { drawer } = await openDrawer(orderOf(PAID), { 'PUT /orders/:id': () => problem('order_changed') });
    await userEvent.click(await drawer.findByRole('button', { name: 'DELIVER' }));
    await drawer.findByText(PROBLEMS.order_changed.title);
  });

  it('Q2 after shipping, an admin can record and correct the tracking number, which links to the carrier’s page', async () => {
    const { drawer, sent, store } = await openDrawer(orderOf(SHIPPED));
    const number = await drawer.findByRole('textbox', { name: 'Tracking number' });
    await userEvent.type(number, 'a b{Enter}');
    await drawer.findByText('A tracking number has 3 to 40 letters, digits and hyphens.');
    await userEvent.clear(number);
    await userEvent.type(number, 'SF123{Enter}');
    await waitFor(() =>
      expect(sent).toEqual([{ path: `/orders/${ID}/parcel`, body: { carrier: 'pathao', trackingNumber: 'SF123' } }]),
    );
    push(store, 'order', orderOf({ ...SHIPPED, carrier: 'steadfast', trackingNumber: 'SF123', version: 5 }));
    const link = await drawer.findByRole('link', { name: 'SF123' });
    expect(link.getAttribute('href')).toBe('https://steadfast.com.bd/t/SF123');
    await userEvent.click(drawer.getByRole('button', { name: 'Correct' }));
    expect((await drawer.findByRole<HTMLInputElement>('textbox', { name: 'Tracking number' })).value).toBe('SF123');
  });

  it('Q2 taking back a shipment needs no reason at first, needs one later, and is no longer possible after 15 minutes', async () => {
    const shippedAgo = (ms: number) => orderOf({ ...SHIPPED, shippedAt: new Date(Date.now() - ms).toISOString() });
    const { drawer, sent, store } = await openDrawer(shippedAgo(5_000));
    await userEvent.click(await drawer.findByRole('button', { name: 'Take shipment back' }));
    expect(sent).toEqual([{ path: `/orders/${ID}/withdrawal`, body: { shipment: 1 } }]);
    push(store, 'order', { ...shippedAgo(120_000), shipment: 2, version: 7 });
    await userEvent.selectOptions(await drawer.findByRole('combobox', { name: 'Reason' }), 'Wrong address');
    await userEvent.click(drawer.getByRole('button', { name: 'Take shipment back' }));
    expect(sent[1]).toEqual({ path: `/orders/${ID}/withdrawal`, body: { shipment: 2, reason: 'address' } });
    push(store, 'order', { ...shippedAgo(16 * 60_000), shipment: 3, version: 9 });
    await waitFor(() => expect(drawer.queryByRole('button', { name: 'Take shipment back' })).toBeNull());
  });

  it('Q2 ORD11 if the shop refuses a withdrawal without a reason, the drawer asks for a reason and sends it', async () => {
    const shippedAt = new Date(Date.now() - 5_000).toISOString();
    const bodies: unknown[] = [];
    const { drawer } = await openDrawer(orderOf({ ...SHIPPED, shippedAt }), {
      [`POST /orders/${ID}/withdrawal`]: ({ body }) => {
        bodies.push(body);
        return bodies.length === 1 ? problem('reason_required') : updated;
      },
    });
    await userEvent.click(await drawer.findByRole('button', { name: 'Take shipment back' }));
    await drawer.findByText(PROBLEMS.reason_required.title);
    await userEvent.selectOptions(drawer.getByRole('combobox', { name: 'Reason' }), 'Wrong address');
    await userEvent.click(drawer.getByRole('button', { name: 'Take shipment back' }));
    await waitFor(() => expect(bodies).toEqual([{ shipment: 1 }, { shipment: 1, reason: 'address' }]));
  });
});
