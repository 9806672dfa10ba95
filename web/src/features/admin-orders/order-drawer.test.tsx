import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { closeApp, problem, push } from '../../app/app.fixture.tsx';
import { listenersOf } from '../../app/listeners.fixture.ts';
import { takePushes } from '../../live/follow.ts';
import { packingChanged } from '../../live/live-slice.ts';
import { orderOf, PAID, SHIPPED } from '../../shop/orders/order.fixture.ts';
import { ID, openDrawer, productId, showDrawer } from './order-drawer.fixture.tsx';

afterEach(closeApp);

describe('the order drawer', () => {
  it('Q1 the order drawer shows all the details of the order named in the URL', async () => {
    // The clock is frozen, so that the displayed age of the address correction can't change during the test.
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const { drawer } = await openDrawer(
      orderOf({ ...PAID, deliveryChangedAt: new Date(Date.now() - 13 * 60_000 + 1).toISOString() }),
      {
        [`GET /orders/${ID}/timeline`]: () => [
          { type: 'placed', at: '2026-01-01T10:00:00.000Z', version: 1, by: 'customer' },
          { type: 'shipped', at: '2026-01-01T10:06:00.000Z', version: 4, by: 'Mina' },
          { type: 'shipment_withdrawn', at: '2026-01-01T10:07:00.000Z', version: 5, by: 'Mina', withdrawal: 'damaged' },
        ],
      },
    );
    await drawer.findByRole('heading', { name: 'MC-1042' });
    drawer.getByText('To deliver');
    drawer.getByText('House 7, Dhanmondi');
    expect(drawer.getByRole('link', { name: '01711000000' }).getAttribute('href')).toBe('tel:01711000000');
    expect(drawer.getByRole('link', { name: 'rina@micro-center.test' }).getAttribute('href')).toBe(
      'mailto:rina@micro-center.test',
    );
    expect(drawer.getByRole('link', { name: 'Norwester G7' }).getAttribute('href')).toBe(`/items/${productId}`);
    drawer.getByText('৳104,001');
    drawer.getByText('pi_3Nx');
    drawer.getByText('Address or phone corrected', { exact: false });
    drawer.getByText('12 min');
    const entries = await drawer.findAllByRole('listitem');
    expect(entries.map(({ textContent }) => textContent?.replace(/\d+ \w+ 2026, \d\d:\d\d/, 'then'))).toEqual([
      'Placedthen · customer',
      'Shippedthen · Mina',
      'Shipment taken back: parcel damagedthen · Mina',
    ]);
  });

  it('Q1 an address correction made less than a minute ago is shown as "just now"', async () => {
    const { drawer } = await openDrawer(orderOf({ ...PAID, deliveryChangedAt: new Date().toISOString() }));
    const warning = await drawer.findByText('Address or phone corrected', { exact: false });
    expect(warning.textContent).toBe('Address or phone corrected just now');
  });

  it('Q1 Bengali text in the order drawer has the lang attribute bn', async () => {
    const { drawer } = await openDrawer(orderOf({ ...PAID, name: 'রিনা', address: '১২ মিরপুর', product: 'কেসিং' }));
    for (const words of ['রিনা', '১২ মিরপুর', 'কেসিং']) expect((await drawer.findByText(words)).lang).toBe('bn');
  });

  it('Q1 the drawer’s copy buttons copy the order number and the full address', async () => {
    const user = userEvent.setup();
    const { drawer } = await openDrawer();
    await user.click(await drawer.findByRole('button', { name: 'Copy address' }));
    expect(await navigator.clipboard.readText()).toBe('Rina Akter\nHouse 7, Dhanmondi\n01711000000');
    await user.click(drawer.getByRole('button', { name: 'Copy order number' }));
    expect(await navigator.clipboard.readText()).toBe('MC-1042');
  });

  it('Q1 opening the drawer focuses its heading, and closing it with Escape returns the focus to the row', async () => {
    const { drawer, opener, router } = await openDrawer();
    const heading = await drawer.findByRole('heading', { name: 'MC-1042' });
    await waitFor(() => expect(document.activeElement).toBe(heading));
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(document.activeElement).toBe(opener));
    expect(router.state.location.search).toBe('?status=paid');
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('Q1 the drawer keeps the focus and the entered text while the order is refetched, even if the request fails', async () => {
    let away = false;
    const { drawer, store, calls } = await openDrawer(orderOf(PAID), {
      [`GET /orders/${ID}`]: () => (away ? problem('internal') : orderOf(PAID)),
    });
    const number = await drawer.findByRole<HTMLInputElement>('textbox', { name: 'Tracking number' });
    await userEvent.type(number, 'RX-2');
    const path = `/orders/${ID}`;
    for (const [index, failing] of [true, false].entries()) {
      away = failing;
      const left = { kind: 'order', id: ID, version: 8 + index, view: null } as const;
      act(() => void store.dispatch(takePushes([left])));
      await waitFor(() => expect(calls.filter((call) => call === `GET ${path}`)).toHaveLength(2 + index));
      await waitFor(() => expect(store.getState().views.followed[path]).toMatchObject({ request: null }));
      expect(store.getState().views.followed[path]?.error !== null).toBe(failing);
      expect(document.activeElement).toBe(number);
    }
    await userEvent.keyboard('0931');
    expect(number.value).toBe('RX-20931');
  });

  it('W10 PACK1 opening the order drawer claims the order for packing, and closing the drawer releases the claim', async () => {
    const { calls, drawer } = await openDrawer();
    await drawer.findByRole('button', { name: 'DELIVER' });
    const claims = () => calls.filter((call) => call === `PUT /packing/${ID}`).length;
    await waitFor(() => expect(claims()).toBe(1));
    // A hidden page doesn't renew its claim on the order. The page claims the order again as soon as it becomes
    // visible.
    const seen = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
    document.dispatchEvent(new Event('visibilitychange'));
    seen.mockReturnValue('visible');
    document.dispatchEvent(new Event('visibilitychange'));
    await waitFor(() => expect(claims()).toBe(2));
    seen.mockRestore();
    expect(calls).not.toContain(`DELETE /packing/${ID}`);
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(calls).toContain(`DELETE /packing/${ID}`));
  });

  it('W10 PACK1 the drawer says who else is packing the order, and does not claim a shipped order', async () => {
    const { calls, drawer, store } = await openDrawer(orderOf(SHIPPED));
    await drawer.findByText('SHIPPED');
    expect(calls).not.toContain(`PUT /packing/${ID}`);
    act(() => void store.dispatch(packingChanged({ order: ID, by: { id: 'b', name: 'Nadia' }, left: 120_000 })));
    push(store, 'order', { ...orderOf(PAID), version: 9 });
    await drawer.findByText('Nadia is packing this order.');
  });

  it('Q1 on a wide screen, the drawer opens next to the board, which stays usable', async () => {
    const app = showDrawer(orderOf(PAID), {}, '/before');
    vi.stubGlobal('matchMedia', (query: string) => ({
      matches: query.includes('80em'),
      addEventListener: () => {},
      removeEventListener: () => {},
    }));
    await act(() => app.router.navigate('/'));
    const opener = screen.getByRole('button', { name: 'A row' });
    act(() => opener.focus());
    const listeners = listenersOf(window);
    await act(() => app.router.navigate(`/?order=${ID}`));
    const heading = await within(screen.getByRole('region', { name: 'Order' })).findByRole('heading', {
      name: 'MC-1042',
    });
    expect(document.activeElement).toBe(heading);
    act(() => opener.focus());
    expect(document.activeElement).toBe(opener);
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Order' })).toBeNull());
    await waitFor(() => expect(document.activeElement).toBe(opener));
    // A closed drawer no longer listens for Escape.
    expect(listeners()).not.toContain('keydown');
    vi.restoreAllMocks();
  });

  it('Q1 if the URL names an unknown order, the drawer says that the order does not exist', async () => {
    const { drawer } = await openDrawer(orderOf(), { [`GET /orders/${ID}`]: () => problem('not_found') });
    await drawer.findByRole('heading', { name: 'There is no such order' });
  });

  it('Q1 X3 the order drawer shows changes to its order without a reload', async () => {
    const { drawer, store } = await openDrawer(orderOf());
    await drawer.findByText('Payment pending');
    push(store, 'order', orderOf(PAID));
    await drawer.findByRole('button', { name: 'DELIVER' });
    push(store, 'order', orderOf(SHIPPED));
    await drawer.findByText('SHIPPED');
  });
});
