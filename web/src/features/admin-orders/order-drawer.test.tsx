import { PROBLEMS } from '@micro-center/services/contracts/problems.ts';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useRef } from 'react';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { closeApp, problem, push, showApp, stubShop } from '../../app/app.fixture.tsx';
import { listenersOf } from '../../app/listeners.fixture.ts';
import { takePushes } from '../../live/follow.ts';
import { packingChanged, wentLive } from '../../live/live-slice.ts';
import { signedIn, signedOut } from '../../session/session-slice.ts';
import { ADMIN, orderOf, PAID, productOf, SHIPPED, updated } from '../../shop/orders/order.fixture.ts';
import { BoardContext } from './board-context.ts';
import { OrderDrawer } from './order-drawer.tsx';
import { useShipping } from './use-shipping.ts';

afterEach(closeApp);

const { _id: ID, productId } = orderOf();

function show(order = orderOf(PAID), answers: Parameters<typeof stubShop>[0] = {}, at = '/') {
  const sent: { path: string; body: unknown }[] = [];
  const take = ({ url, body }: { url: URL; body: unknown }) => {
    sent.push({ path: url.pathname, body });
    return updated;
  };
  const calls = stubShop({
    [`GET /orders/${ID}`]: () => order,
    [`GET /orders/${ID}/timeline`]: () => [],
    [`GET /orders/${ID}/tracking`]: () => ({ token: null }),
    [`GET /products/${productId}`]: () => productOf(),
    'PUT /orders/:id': take,
    [`PUT /orders/${ID}/parcel`]: take,
    [`POST /orders/${ID}/withdrawal`]: take,
    ...answers,
  });
  const board = (
    <main id="content" tabIndex={-1}>
      <button type="button">A row</button>
      <Drawer />
    </main>
  );
  const app = showApp(
    [
      { path: '/', element: board },
      { path: '/before', element: null },
    ],
    at,
  );
  act(() => {
    app.store.dispatch(signedIn(ADMIN));
    app.store.dispatch(wentLive());
  });
  return { sent, calls, ...app };
}

function Drawer() {
  const shipping = useShipping();
  const [rows, focusFrom, scanTo] = [useRef(null), useRef(null), useRef(null)];
  return (
    <BoardContext value={{ shipping, actions: null, rows, focusFrom, scanTo }}>
      <OrderDrawer />
    </BoardContext>
  );
}

async function open(...shown: Parameters<typeof show>) {
  const app = show(...shown);
  const opener = screen.getByRole('button', { name: 'A row' });
  act(() => opener.focus());
  await act(() => app.router.navigate(`/?status=paid&order=${ID}`));
  const drawer = within(await screen.findByRole('dialog', { name: 'Order' }));
  return { ...app, opener, drawer };
}

describe('the drawer of one order', () => {
  it('Q1 shows everything of the order that the address names', async () => {
    // No minute ends between the order and its age.
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const { drawer } = await open(
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

  it('U38 Q1 says of what was corrected in this minute that it was just now', async () => {
    const { drawer } = await open(orderOf({ ...PAID, deliveryChangedAt: new Date().toISOString() }));
    const warning = await drawer.findByText('Address or phone corrected', { exact: false });
    expect(warning.textContent).toBe('Address or phone corrected just now');
  });

  it('U36 Q1 marks what is written in Bengali as such', async () => {
    const { drawer } = await open(orderOf({ ...PAID, name: 'রিনা', address: '১২ মিরপুর', product: 'কেসিং' }));
    for (const words of ['রিনা', '১২ মিরপুর', 'কেসিং']) expect((await drawer.findByText(words)).lang).toBe('bn');
  });

  it('Q1 copies number and whole address', async () => {
    const user = userEvent.setup();
    const { drawer } = await open();
    await user.click(await drawer.findByRole('button', { name: 'Copy address' }));
    expect(await navigator.clipboard.readText()).toBe('Rina Akter\nHouse 7, Dhanmondi\n01711000000');
    await user.click(drawer.getByRole('button', { name: 'Copy order number' }));
    expect(await navigator.clipboard.readText()).toBe('MC-1042');
  });

  it('Q1 takes the focus, closes by Escape and gives the focus back', async () => {
    const { drawer, opener, router } = await open();
    const heading = await drawer.findByRole('heading', { name: 'MC-1042' });
    await waitFor(() => expect(document.activeElement).toBe(heading));
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(document.activeElement).toBe(opener));
    expect(router.state.location.search).toBe('?status=paid');
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('U27 Q1 leaves the focus and what is typed alone while the order is fetched again, fails and comes back', async () => {
    let away = false;
    const { drawer, store, calls } = await open(orderOf(PAID), {
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

  it('W10 PACK1 says to the other admins that it is packed, until it is closed', async () => {
    const { calls, drawer } = await open();
    await drawer.findByRole('button', { name: 'DELIVER' });
    const claims = () => calls.filter((call) => call === `PUT /packing/${ID}`).length;
    await waitFor(() => expect(claims()).toBe(1));
    // Again as soon as somebody looks at the page, which says nothing while it is hidden.
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

  it('W10 PACK1 says who packs it, and of a shipped order nothing to anybody', async () => {
    const { calls, drawer, store } = await open(orderOf(SHIPPED));
    await drawer.findByText('SHIPPED');
    expect(calls).not.toContain(`PUT /packing/${ID}`);
    act(() => void store.dispatch(packingChanged({ order: ID, by: { id: 'b', name: 'Nadia' }, left: 120_000 })));
    push(store, 'order', { ...orderOf(PAID), version: 9 });
    await drawer.findByText('Nadia is packing this order.');
  });

  it('Q1 stands beside the board where there is room, which stays in use', async () => {
    const app = show(orderOf(PAID), {}, '/before');
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
    // A drawer that is closed leaves Escape to others.
    expect(listeners()).not.toContain('keydown');
    vi.restoreAllMocks();
  });

  it('Q1 says of an unknown order that there is none', async () => {
    const { drawer } = await open(orderOf(), { [`GET /orders/${ID}`]: () => problem('not_found') });
    await drawer.findByRole('heading', { name: 'There is no such order' });
  });

  it('Q1 X3 follows the order without a reload', async () => {
    const { drawer, store } = await open(orderOf());
    await drawer.findByText('Payment pending');
    push(store, 'order', orderOf(PAID));
    await drawer.findByRole('button', { name: 'DELIVER' });
    push(store, 'order', orderOf(SHIPPED));
    await drawer.findByText('SHIPPED');
  });
});

describe('shipping from the drawer', () => {
  it('Q2 A2 DELIVER names the version that was seen, and takes carrier and number at once', async () => {
    const { drawer, sent } = await open();
    await userEvent.selectOptions(await drawer.findByRole('combobox', { name: 'Carrier' }), 'RedX');
    // A scanner ends with Enter.
    await userEvent.type(drawer.getByRole('textbox', { name: 'Tracking number' }), 'RX-20931{Enter}');
    await drawer.findByText('This product is set to shipped.');
    expect(sent).toEqual([
      { path: `/orders/${ID}`, body: { version: 3, carrier: 'redx', trackingNumber: 'RX-20931' } },
    ]);
  });

  it('U30 P5 carrier and number are there after the session has ended and the same admin has signed in again', async () => {
    const { drawer, router, store } = await open();
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

  it('Q2 DELIVER needs no number', async () => {
    const { drawer, sent } = await open();
    await userEvent.click(await drawer.findByRole('button', { name: 'DELIVER' }));
    await drawer.findByText('This product is set to shipped.');
    expect(sent.map(({ body }) => body)).toEqual([{ version: 3 }]);
  });

  it('Q2 says why an order was not shipped', async () => {
    const { drawer } = await open(orderOf(PAID), { 'PUT /orders/:id': () => problem('order_changed') });
    await userEvent.click(await drawer.findByRole('button', { name: 'DELIVER' }));
    await drawer.findByText(PROBLEMS.order_changed.title);
  });

  it('Q2 records and corrects the parcel, and leads to its carrier', async () => {
    const { drawer, sent, store } = await open(orderOf(SHIPPED));
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

  it('Q2 takes a shipment back: at once without a reason, then with one, then never', async () => {
    const shippedAgo = (ms: number) => orderOf({ ...SHIPPED, shippedAt: new Date(Date.now() - ms).toISOString() });
    const { drawer, sent, store } = await open(shippedAgo(5_000));
    await userEvent.click(await drawer.findByRole('button', { name: 'Take shipment back' }));
    expect(sent).toEqual([{ path: `/orders/${ID}/withdrawal`, body: { shipment: 1 } }]);
    push(store, 'order', { ...shippedAgo(120_000), shipment: 2, version: 7 });
    await userEvent.selectOptions(await drawer.findByRole('combobox', { name: 'Reason' }), 'Wrong address');
    await userEvent.click(drawer.getByRole('button', { name: 'Take shipment back' }));
    expect(sent[1]).toEqual({ path: `/orders/${ID}/withdrawal`, body: { shipment: 2, reason: 'address' } });
    push(store, 'order', { ...shippedAgo(16 * 60_000), shipment: 3, version: 9 });
    await waitFor(() => expect(drawer.queryByRole('button', { name: 'Take shipment back' })).toBeNull());
  });

  it('Q2 ORD11 where the clock here is behind, the shop says that it wants a reason, and the next try gives one', async () => {
    const shippedAt = new Date(Date.now() - 5_000).toISOString();
    const bodies: unknown[] = [];
    const { drawer } = await open(orderOf({ ...SHIPPED, shippedAt }), {
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
