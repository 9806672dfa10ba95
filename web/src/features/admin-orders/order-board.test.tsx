import type { OrderView } from '@micro-center/services/contracts/views.ts';
import { act, createEvent, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { closeApp, problem, push, showApp, stubShop } from '../../app/app.fixture.tsx';
import { packingChanged, wentLive, wentStale } from '../../live/live-slice.ts';
import { signedIn } from '../../session/session-slice.ts';
import { ADMIN, paidOrder as paid, productOf, SHIPPED, updated } from '../../shop/orders/order.fixture.ts';
import ManageOrdersPage from './manage-orders-page.tsx';

afterEach(closeApp);

const shipped = (order: OrderView): OrderView => ({ ...order, ...SHIPPED, version: order.version + 1 });

function show(orders: OrderView[], answers: Parameters<typeof stubShop>[0] = {}, at = '/?status=paid') {
  const calls = stubShop({ 'GET /orders': () => orders, ...answers });
  const app = showApp([{ path: '/', element: <ManageOrdersPage /> }], at);
  act(() => void app.store.dispatch(signedIn(ADMIN)));
  act(() => void app.store.dispatch(wentLive()));
  return { calls, ...app };
}
const button = (name: string | RegExp) => screen.findByRole('button', { name });
const rowOf = (order: OrderView) => screen.getByRole('row', { name: new RegExp(order.name) });

it('U36 A3 the board marks what is written in Bengali as such', async () => {
  show([{ ...paid(1), product: 'কেসিং', name: 'রিনা', address: '১২ মিরপুর' }]);
  for (const words of ['কেসিং', 'রিনা', '১২ মিরপুর']) expect((await screen.findByText(words)).lang).toBe('bn');
});

describe('DELIVER', () => {
  it('W9 W2 the row says SHIPPED before the answer, stays in place, and the alert outlives the list that empties', async () => {
    let answer: (body: object) => void = () => {};
    const { store } = show([paid(1)], {
      'PUT /orders/:id': () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    });
    await userEvent.click(await button('DELIVER MC-1001'));
    expect(within(rowOf(paid(1))).getByText('SHIPPED')).toBeTruthy();
    expect(screen.queryByRole('button', { name: /^DELIVER/ })).toBeNull();
    answer(updated);
    const alert = await screen.findByRole('alertdialog', { name: 'Shipped' });
    expect(alert.textContent).toContain('MC-1001, Buyer 1, 2 × Norwester G7');
    push(store, 'order', shipped(paid(1)));
    expect(within(rowOf(paid(1))).getByText('SHIPPED')).toBeTruthy();
    expect(screen.queryByText('No orders here')).toBeNull();
    expect(screen.queryByText('Everything is shipped')).toBeNull();
    expect(screen.getByRole('alertdialog', { name: 'Shipped' })).toBeTruthy();
  });

  it('W9 ships while text is selected, though a click on the row then opens no order', async () => {
    const { calls, router } = show([paid(1)], { 'PUT /orders/:id': () => updated });
    const name = await screen.findByText('Buyer 1');
    window.getSelection()?.selectAllChildren(name);
    // A real click would end the selection before the board hears of it.
    fireEvent.click(name);
    expect(router.state.location.search).toBe('?status=paid');
    fireEvent.click(await button('DELIVER MC-1001'));
    expect(await screen.findByRole('alertdialog', { name: 'Shipped' })).toBeTruthy();
    expect(calls).toContain(`PUT /orders/${paid(1)._id}`);
    window.getSelection()?.removeAllRanges();
  });

  it('W9 is offered again with the reason where the shop refuses', async () => {
    show([paid(1)], { 'PUT /orders/:id': () => problem('order_changed') });
    await userEvent.click(await button('DELIVER MC-1001'));
    const alert = await screen.findByRole('alertdialog', { name: 'Not shipped' });
    expect(alert.textContent).toMatch(/MC-1001 was not shipped: This order has changed/);
    expect(await button('DELIVER MC-1001')).toBeTruthy();
    expect(screen.getByRole('img', { name: /^Not shipped: This order has changed/ })).toBeTruthy();
  });

  it('W9 says by whom and when an order was shipped before', async () => {
    show([paid(1)], {
      'PUT /orders/:id': () => ({ ...updated, modifiedCount: 0 }),
      [`GET /orders/${paid(1)._id}/timeline`]: () => [
        { type: 'shipped', at: '2026-01-01T11:00:00.000Z', version: 4, by: 'Farhana Rahman' },
      ],
    });
    await userEvent.click(await button('DELIVER MC-1001'));
    const alert = await screen.findByRole('alertdialog', { name: 'Not shipped' });
    expect(alert.textContent).toMatch(/MC-1001 was shipped already by Farhana Rahman at \d\d:\d\d\./);
    expect(within(rowOf(paid(1))).getByText('SHIPPED')).toBeTruthy();
  });

  it('U22 W9 an order that another admin shipped is offered again once they have taken it back', async () => {
    const { store } = show(
      [paid(2), paid(1)],
      {
        'PUT /orders/:id': () => ({ ...updated, modifiedCount: 0 }),
        [`GET /orders/${paid(1)._id}/timeline`]: () => [],
        'POST /shipments': ({ body }) =>
          (body as { orders: { id: string }[] }).orders.map(({ id }) => ({
            ...{ id, outcome: 'already_shipped', by: 'Rahim', at: '2026-01-01T11:00:00.000Z', version: 4 },
          })),
      },
      '/',
    );
    await userEvent.click(await button('DELIVER MC-1001'));
    await screen.findByRole('alertdialog', { name: 'Not shipped' });
    push(store, 'order', shipped(paid(1)));
    expect(within(rowOf(paid(1))).getByText('SHIPPED').title).toBe('shipped already');
    push(store, 'order', { ...paid(1), version: 5 });
    expect(await button('DELIVER MC-1001')).toBeTruthy();
    await userEvent.click(screen.getByRole('checkbox', { name: 'Select all orders' }));
    await userEvent.click(await button(/^Ship 2/));
    await waitFor(() => expect(within(rowOf(paid(2))).getByText('SHIPPED').title).toMatch(/by Rahim/));
    push(store, 'order', { ...paid(2), version: 5 });
    expect(await button('DELIVER MC-1002')).toBeTruthy();
  });

  it('W9 R19 the focus goes on to the next DELIVER', async () => {
    show([paid(1), paid(2)], { 'PUT /orders/:id': () => updated });
    await userEvent.click(await button('DELIVER MC-1001'));
    expect(document.activeElement).toBe(await button('DELIVER MC-1002'));
  });

  it('U23 W9 R19 the focus stays in the row when another admin ships the order, and the row leaves with it', async () => {
    const { store } = show([paid(1), paid(2)]);
    (await button('DELIVER MC-1001')).focus();
    push(store, 'order', shipped(paid(1)));
    within(rowOf(paid(1))).getByText('SHIPPED');
    await waitFor(() =>
      expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Open order MC-1001' })),
    );
    act(() => (document.activeElement as HTMLElement).blur());
    await waitFor(() => expect(screen.queryByRole('row', { name: /Buyer 1/ })).toBeNull());
  });
});

describe('a row that comes to offer DELIVER', () => {
  const clickAt = (timeStamp: number, target: Element, detail = 1) => {
    const click = createEvent.click(target, { detail });
    Object.defineProperty(click, 'timeStamp', { value: timeStamp });
    fireEvent(target, click);
  };

  it('W1 takes no click of a hand that was on its way before, and a key at once', async () => {
    const sent: string[] = [];
    const unpaid = { ...paid(1), paid: false, version: 2 };
    const take = ({ url }: { url: URL }) => {
      sent.push(url.pathname);
      return updated;
    };
    const { store } = show([unpaid], { 'PUT /orders/:id': take }, '/');
    await screen.findByRole('button', { name: 'Cancel order MC-1001' });
    vi.spyOn(performance, 'now').mockReturnValue(10_000);
    push(store, 'order', paid(1));
    const deliver = await button('DELIVER MC-1001');
    clickAt(10_499, deliver);
    expect(sent).toEqual([]);
    fireEvent.click(deliver, { detail: 0 });
    await waitFor(() => expect(sent).toEqual([`/orders/${paid(1)._id}`]));
  });

  it('W1 takes a click half a second later', async () => {
    const unpaid = { ...paid(1), paid: false, version: 2 };
    const { store } = show([unpaid], { 'PUT /orders/:id': () => updated }, '/');
    await screen.findByRole('button', { name: 'Cancel order MC-1001' });
    vi.spyOn(performance, 'now').mockReturnValue(10_000);
    push(store, 'order', paid(1));
    const deliver = await button('DELIVER MC-1001');
    // The second click of two means what the first one hit.
    clickAt(10_500, deliver, 2);
    expect(await button('DELIVER MC-1001')).toBe(deliver);
    clickAt(10_500, deliver);
    await screen.findByRole('alertdialog', { name: 'Shipped' });
  });
});

describe('beside an open order', () => {
  const scan = (target: Element, text: string) => {
    let submits = true;
    for (const [index, key] of [...text, 'Enter'].entries()) {
      const pressed = createEvent.keyDown(target, { key });
      Object.defineProperty(pressed, 'timeStamp', { value: 1_000 + 10 * index });
      submits = fireEvent(target, pressed);
    }
    return { submits };
  };
  const opened = async (answers: Parameters<typeof stubShop>[0] = {}) => {
    const order = paid(1);
    const other = paid(2);
    const found: (string | null)[] = [];
    const app = show(
      [order, other],
      {
        'GET /orders': ({ url }) => {
          const q = url.searchParams.get('q');
          if (q !== null) found.push(q);
          return q === null ? [order, other] : [other];
        },
        'GET /orders/:id': () => order,
        [`GET /orders/${order._id}/timeline`]: () => [],
        [`GET /orders/${order._id}/tracking`]: () => ({ token: null }),
        [`GET /products/${order.productId}`]: () => productOf(),
        ...answers,
      },
      `/?order=${order._id}`,
    );
    const number = (await screen.findByRole('textbox', { name: 'Tracking number' })) as HTMLInputElement;
    return { app, number, other, found };
  };

  it('Q2 W9 says by whom it was shipped before, and that the tracking number was not recorded', async () => {
    const { number } = await opened({
      'PUT /orders/:id': () => ({ ...updated, modifiedCount: 0 }),
      [`GET /orders/${paid(1)._id}/timeline`]: () => [
        { type: 'shipped', at: '2026-01-01T11:00:00.000Z', version: 4, by: 'Farhana Rahman' },
      ],
    });
    await userEvent.type(number, 'RX-20931{Enter}');
    const alert = await screen.findByRole('alertdialog', { name: 'Not shipped' });
    expect(alert.textContent).toMatch(/already by Farhana Rahman at .*The tracking number RX-20931 was not recorded\./);
  });

  it('W6 Q2 a code that is no order’s goes into the tracking field, and searches for nothing', async () => {
    const { number, found } = await opened();
    scan(await screen.findByRole('heading', { name: 'MC-1001' }), 'RX-20931');
    await waitFor(() => expect(number.value).toBe('RX-20931'));
    expect(document.activeElement).toBe(number);
    expect(found).toEqual([]);
  });

  it('W6 Q2 an order’s number opens that order, and sends no form that it was typed into', async () => {
    const { app, number, other } = await opened();
    expect(scan(number, 'mc-1002').submits).toBe(false);
    await waitFor(() => expect(app.router.state.location.search).toBe(`?order=${other._id}`));
  });

  it.each([
    ['opens the order of the last, and searches for nothing', ['MC-1002', 'MC-1003']],
    ['opens it in whatever order the answers come', ['MC-1003', 'MC-1002']],
  ])('U26 W6 one scan right after another %s', async (_what, answered) => {
    const waiting = new Map<string | null, () => void>();
    const { app, number } = await opened({
      'GET /orders': ({ url }) => {
        const q = url.searchParams.get('q');
        if (q === null) return [paid(1)];
        return new Promise((resolve) => waiting.set(q, () => resolve([q === 'MC-1002' ? paid(2) : paid(3)])));
      },
      'GET /orders/:id': ({ url }) => [paid(1), paid(2), paid(3)].find(({ _id }) => url.pathname.endsWith(_id)),
    });
    const heading = await screen.findByRole('heading', { name: 'MC-1001' });
    scan(heading, 'MC-1002');
    scan(heading, 'MC-1003');
    await waitFor(() => expect(waiting.size).toBe(2));
    for (const each of answered) await act(async () => waiting.get(each)?.());
    await waitFor(() => expect(app.router.state.location.search).toBe(`?order=${paid(3)._id}`));
    expect(number.value).toBe('');
  });

  it('U26 W6 a filter that is chosen while a scanned order is looked up stays chosen', async () => {
    let answer: () => void = () => {};
    const { app, number, other } = await opened({
      'GET /orders': ({ url }) =>
        url.searchParams.has('q')
          ? new Promise((resolve) => {
              answer = () => resolve([other]);
            })
          : [paid(1)],
    });
    const idle = answer;
    scan(number, 'MC-1002');
    await waitFor(() => expect(answer).not.toBe(idle));
    await userEvent.click(screen.getByRole('radio', { name: 'To deliver', hidden: true }));
    answer();
    await waitFor(() => expect(app.router.state.location.search).toBe(`?order=${other._id}&status=paid`));
  });
});

describe('who packs an order', () => {
  const claim = (name: string, left = 120_000) => ({ order: paid(1)._id, by: { id: `id of ${name}`, name }, left });
  const mark = (name: string) => screen.queryByRole('img', { name: `${name} is packing` });

  it('W10 PACK1 is marked in the row, as it is and as it changes, and DELIVER stays', async () => {
    const { store } = show([paid(1), paid(2)], { 'GET /packing': () => [claim('Nadia')] });
    expect(await within(await screen.findByRole('row', { name: /Buyer 1/ })).findByRole('img')).toBe(mark('Nadia'));
    expect(((await button('DELIVER MC-1001')) as HTMLButtonElement).disabled).toBe(false);
    act(() => void store.dispatch(packingChanged({ order: paid(1)._id, by: null, left: null })));
    expect(mark('Nadia')).toBeNull();
    act(() => void store.dispatch(packingChanged(claim('Omar'))));
    expect(mark('Omar')).toBeTruthy();
  });

  it('W10 PACK1 runs out by itself, and shows another admin of the same name', async () => {
    const { store } = show([paid(1)], { 'GET /packing': () => [claim('Nadia', 3_000)] });
    await waitFor(() => expect(mark('Nadia')).toBeTruthy());
    await waitFor(() => expect(mark('Nadia')).toBeNull(), { timeout: 6_000 });
    act(() => void store.dispatch(packingChanged(claim(ADMIN.name))));
    expect(mark(ADMIN.name)).toBeTruthy();
  });

  it.each([
    ['claimed', claim('Omar'), 'Omar'],
    ['given up', { order: paid(1)._id, by: null, left: null }, null],
  ])('W10 PACK1 what was %s while the list was on its way stays so', async (_, pushed, packer) => {
    let answer: (claims: object) => void = () => {};
    const listed = new Promise((resolve) => {
      answer = resolve;
    });
    const { store, calls } = show([paid(1), paid(2)], { 'GET /packing': () => listed });
    await waitFor(() => expect(calls).toContain('GET /packing'));
    act(() => void store.dispatch(packingChanged(pushed)));
    answer([claim('Nadia'), { ...claim('Rumi'), order: paid(2)._id }]);
    await waitFor(() => expect(mark('Rumi')).toBeTruthy());
    expect(mark('Nadia')).toBeNull();
    expect(packer === null || mark(packer)).toBeTruthy();
  });

  it('W10 is asked for again once the page is live again, and is off where the shop cannot say it', async () => {
    let off = true;
    const { store } = show([paid(1)], {
      'GET /packing': () => (off ? problem('packing_unavailable') : [claim('Nadia')]),
    });
    await screen.findByText('Packing marks are off');
    off = false;
    act(() => void store.dispatch(wentStale()));
    act(() => void store.dispatch(wentLive()));
    await waitFor(() => expect(mark('Nadia')).toBeTruthy());
    expect(screen.queryByText('Packing marks are off')).toBeNull();
  });
});

describe('news of orders to deliver', () => {
  const see = (state: 'visible' | 'hidden') => {
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state);
    act(() => void document.dispatchEvent(new Event('visibilitychange')));
  };
  const notifications = (permission: NotificationPermission) => {
    const shown: string[] = [];
    class Shown {
      static permission = permission;
      static requestPermission = async () => {
        Shown.permission = 'granted';
        return Shown.permission;
      };
      constructor(title: string) {
        shown.push(title);
      }
    }
    vi.stubGlobal('Notification', Shown);
    return shown;
  };
  const board = () => {
    const counts = { all: 9, unpaid: 3, paid: 4, shipped: 2 };
    const { store } = show([paid(1)], { 'GET /board/counts': () => ({ ...counts }) });
    const paidMore = (more: number, version: number) => {
      counts.paid += more;
      push(store, 'order', { ...paid(1), version });
    };
    return { paidMore };
  };
  afterEach(() => localStorage.clear());

  it('W11 the title counts what came while the tab was hidden, until somebody looks', async () => {
    const { paidMore } = board();
    await screen.findByText('To deliver 4', { exact: false });
    expect(document.title).toBe('Manage Orders - Micro Center');
    see('hidden');
    paidMore(3, 10);
    await waitFor(() => expect(document.title).toBe('(3) Manage Orders - Micro Center'), { timeout: 4_000 });
    paidMore(-1, 11);
    paidMore(2, 12);
    await waitFor(() => expect(document.title).toBe('(4) Manage Orders - Micro Center'), { timeout: 4_000 });
    see('visible');
    expect(document.title).toBe('Manage Orders - Micro Center');
  });

  it('W11 notifies whoever switched it on, and asks the browser only then', async () => {
    const shown = notifications('default');
    const { paidMore } = board();
    await screen.findByText('To deliver 4', { exact: false });
    const notifyMe = await button('Notify me');
    expect(notifyMe.getAttribute('aria-pressed')).toBe('false');
    await userEvent.click(notifyMe);
    await waitFor(() => expect(notifyMe.getAttribute('aria-pressed')).toBe('true'));
    see('hidden');
    paidMore(2, 10);
    await waitFor(() => expect(shown).toEqual(['2 new orders to deliver']), { timeout: 4_000 });
    see('visible');
    await userEvent.click(notifyMe);
    expect(notifyMe.getAttribute('aria-pressed')).toBe('false');
  });

  it('W11 cannot be switched on where the browser allows none, and says so', async () => {
    notifications('denied');
    board();
    await screen.findByText('Notifications blocked');
    expect(screen.queryByRole('button', { name: 'Notify me' })).toBeNull();
  });
});

describe('undo', () => {
  const idOf = (n: number) => paid(n)._id;
  const many = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, index) => ({
      ...paid(1),
      _id: `${from + index}`.padStart(24, '0'),
      number: `MC-${from + index}`,
    }));
  interface Sent {
    path: string;
    key: string | null;
    orders: { id: string; shipment?: number }[];
  }
  /** The routes by which a board ships and takes back, and what was sent by them. `answer` may answer a request of its own. */
  const routes = (answer: (sent: Sent, count: number) => unknown = () => undefined) => {
    const sent: Sent[] = [];
    const several =
      (outcome: object) =>
      async ({ url, body, key }: { url: URL; body: unknown; key: string | null }) => {
        const { orders } = body as Sent;
        const one = { path: url.pathname, key, orders };
        sent.push(one);
        const count = sent.filter(({ path }) => path === one.path).length;
        return (await answer(one, count)) ?? orders.map(({ id }) => ({ id, ...outcome }));
      };
    return {
      sent,
      answers: {
        'POST /shipments': several({ outcome: 'shipped', version: 4, shipment: 1 }),
        'POST /withdrawals': several({ outcome: 'withdrawn', version: 5 }),
        'PUT /orders/:id': () => ({ ...updated, version: 4 }),
        ...Object.fromEntries(
          [1, 2, 3].map((n) => [
            `GET /orders/${idOf(n)}/timeline`,
            () => [{ type: 'shipped', at: '2026-01-01T11:00:00.000Z', version: 4 }],
          ]),
        ),
      },
    };
  };
  const notice = (name: string) => screen.findByRole('alertdialog', { name });
  const says = (name: string, text: string) =>
    waitFor(() => expect(screen.getByRole('alertdialog', { name }).textContent).toContain(text));
  const shipAll = async (count: number) => {
    await userEvent.click(await screen.findByRole('checkbox', { name: 'Select all orders' }));
    await userEvent.click(await button(new RegExp(`^Ship ${count}`)));
  };
  /** Two orders, of which the shipping of the `n`th is answered by `answer`. */
  const showHolding = (n: number) => {
    const { sent, answers } = routes();
    let answer = () => {};
    const held = new Promise((resolve) => {
      answer = () => resolve({ ...updated, version: 4 });
    });
    show([paid(1), paid(2)], { ...answers, [`PUT /orders/${idOf(n)}`]: () => held });
    return { sent, answer };
  };
  const withdrawals = (sent: Sent[]) => sent.filter(({ path }) => path === '/withdrawals');

  it('W8 T44 takes back what was shipped last, of the shipment that it was, though another admin has shipped it again', async () => {
    const { sent, answers } = routes();
    const at = '2026-01-01T11:00:00.000Z';
    const { store } = show([paid(1)], {
      ...answers,
      'PUT /orders/:id': () => ({ ...updated, version: 6 }),
      [`GET /orders/${idOf(1)}/timeline`]: () => [
        { type: 'shipped', at, version: 4 },
        { type: 'shipment_withdrawn', at, version: 5, withdrawal: null },
        { type: 'shipped', at, version: 6 },
        { type: 'shipment_withdrawn', at, version: 7, withdrawal: null },
        { type: 'shipped', at, version: 8 },
      ],
    });
    await userEvent.click(await button('DELIVER MC-1001'));
    const undo = await button(/^Undo/);
    push(store, 'order', { ...shipped(paid(1)), shipment: 3, version: 8 });
    await userEvent.click(undo);
    await notice('Taken back');
    expect(sent).toMatchObject([{ orders: [{ id: idOf(1), shipment: 2 }] }]);
    push(store, 'order', { ...paid(1), version: 9 });
    await waitFor(() => expect(screen.getByRole('button', { name: 'DELIVER MC-1001' })).toBeTruthy());
  });

  it('T44 W8 names the second shipment of a selection that was taken back and shipped again', async () => {
    let shipment = 0;
    const { sent, answers } = routes(({ path, orders }) => {
      if (path !== '/shipments') return undefined;
      shipment += 1;
      return orders.map(({ id }) => ({ id, outcome: 'shipped', version: 2 + 2 * shipment, shipment }));
    });
    const { store } = show([paid(2), paid(1)], answers, '/');
    for (const version of [4, 6]) {
      await shipAll(2);
      for (const n of [1, 2]) push(store, 'order', { ...shipped(paid(n)), version });
      await userEvent.click(await button(/^Undo/));
      await notice('Taken back');
      for (const n of [1, 2]) push(store, 'order', { ...paid(n), version: version + 1 });
    }
    expect(withdrawals(sent).map(({ orders }) => orders.map((one) => one.shipment))).toEqual([
      [1, 1],
      [2, 2],
    ]);
  });

  it('W8 the notice of several shipments names the first of them and the last', async () => {
    const { answers } = routes();
    show([paid(1), paid(2), paid(3)], answers);
    await shipAll(3);
    await says('Shipped', 'MC-1001 to MC-1003');
  });

  it('U48 W8 takes back the newest that is not undone yet: three shipments one after the other, and then says why it does nothing', async () => {
    const { sent, answers } = routes();
    show([paid(1), paid(2), paid(3)], answers);
    for (const n of [1, 2, 3]) await userEvent.click(await button(`DELIVER MC-100${n}`));
    await says('Shipped', 'MC-1003,');
    await userEvent.click(await button('Undo u'));
    await says('Taken back', 'MC-1003,');
    await userEvent.click(await button('Undo MC-1002 u'));
    await says('Taken back', 'MC-1002,');
    await userEvent.keyboard('u');
    await says('Taken back', 'MC-1001,');
    expect(screen.queryByRole('button', { name: /^Undo/ })).toBeNull();
    await userEvent.keyboard('u');
    await screen.findByText(/^u did nothing: nothing that you shipped in the last 30 seconds/);
    expect(sent.map(({ orders }) => orders)).toEqual([3, 2, 1].map((n) => [{ id: idOf(n), shipment: 1 }]));
  });

  it('U48 W8 of a shipping that is still on its way waits for its answer, and the next one takes back the one before', async () => {
    const { sent, answer } = showHolding(2);
    await userEvent.click(await button('DELIVER MC-1001'));
    await notice('Shipped');
    await userEvent.click(await button('DELIVER MC-1002'));
    await userEvent.keyboard('u');
    await notice('Taking back');
    await userEvent.keyboard('u');
    await waitFor(() => expect(sent).toMatchObject([{ orders: [{ id: idOf(1) }] }]));
    answer();
    await waitFor(() => expect(sent).toMatchObject([{}, { orders: [{ id: idOf(2) }] }]));
  });

  it('T42 W8 an older shipping that is answered late leaves the newer notice and its Undo', async () => {
    const { sent, answer } = showHolding(1);
    await userEvent.click(await button('DELIVER MC-1001'));
    await userEvent.click(await button('DELIVER MC-1002'));
    await says('Shipped', 'MC-1002,');
    await act(async () => answer());
    await says('Shipped', 'MC-1002,');
    await userEvent.click(await button('Undo u'));
    await notice('Taken back');
    await userEvent.click(await button('Undo MC-1001 u'));
    await waitFor(() => expect(sent).toHaveLength(2));
    expect(sent.map(({ orders }) => orders[0]?.id)).toEqual([idOf(2), idOf(1)]);
  });

  it('T43 W7 CMD3 a second try of a selection has the key and the orders of the first', async () => {
    const { sent, answers } = routes(({ path }, count) =>
      path === '/shipments' && count === 1 ? problem('store_unavailable') : undefined,
    );
    show([paid(2), paid(1)], answers, '/');
    await shipAll(2);
    await notice('Shipped');
    expect(sent).toHaveLength(2);
    expect(sent[0]?.key).toBeTruthy();
    expect(sent[1]).toEqual(sent[0]);
  });

  it('U20 W8 350 shipments are taken back by two requests', async () => {
    const { sent, answers } = routes();
    show(many(1001, 1350), answers, '/');
    await shipAll(350);
    await userEvent.click(await button(/^Undo/));
    expect((await notice('Taken back')).textContent).toContain('350 of 350 orders are to be delivered again.');
    expect(withdrawals(sent).map(({ orders }) => orders.length)).toEqual([200, 150]);
    expect(new Set(sent.map(({ path, key }) => `${path} ${key}`)).size).toBe(4);
  });

  it('U20 T43 W8 CMD3 what was not answered keeps Undo, and is sent again as it was; what was refused is said', async () => {
    let away = true;
    const { sent, answers } = routes(({ path, orders }) => {
      if (path !== '/withdrawals') return undefined;
      if (orders.length === 150) return away ? problem('too_many_requests') : undefined;
      const [first, ...others] = orders;
      return [
        { id: first?.id, outcome: 'refused', code: 'order_not_shipped', title: 'This order is not shipped.' },
        ...others.map(({ id }) => ({ id, outcome: 'withdrawn', version: 5 })),
      ];
    });
    show(many(1001, 1350), answers, '/');
    await shipAll(350);
    await userEvent.click(await button(/^Undo/));
    const part = await notice('Taken back in part');
    expect(part.textContent).toContain('199 of 350 orders are to be delivered again.');
    expect(part.textContent).toContain('And 150 more.');
    const before = withdrawals(sent).length;
    away = false;
    await userEvent.keyboard('u');
    expect((await notice('Taken back')).textContent).toContain('349 of 350 orders are to be delivered again.');
    const again = withdrawals(sent).slice(before);
    expect(again).toEqual([withdrawals(sent)[before - 1]]);
    expect(screen.queryByRole('button', { name: /^Undo/ })).toBeNull();
  });
});

describe('a selection', () => {
  it('W7 ships in one request with the versions seen, and each row says what came of it', async () => {
    const bodies: unknown[] = [];
    const orders = [paid(1), paid(2), paid(3)];
    show(orders, {
      'POST /shipments': ({ body }) => {
        bodies.push(body);
        return [
          { id: paid(1)._id, outcome: 'shipped', version: 4, shipment: 1 },
          { id: paid(2)._id, outcome: 'refused', code: 'order_changed', title: 'This order has changed.' },
          { id: paid(3)._id, outcome: 'already_shipped', by: 'Rahim', at: '2026-01-01T11:00:00.000Z', version: 4 },
        ];
      },
    });
    await userEvent.click(await screen.findByRole('checkbox', { name: 'Select all orders' }));
    expect(screen.getByText('3 selected')).toBeTruthy();
    await userEvent.click(await button(/^Ship 3/));
    const alert = await screen.findByRole('alertdialog', { name: 'Shipped' });
    expect(alert.textContent).toContain('1 of 3 orders are set to shipped.');
    expect(alert.textContent).toContain('MC-1002 was not shipped: This order has changed. And 1 more.');
    expect(bodies).toEqual([{ orders: orders.map(({ _id, version }) => ({ id: _id, version })) }]);
    expect(within(rowOf(paid(1))).getByText('SHIPPED')).toBeTruthy();
    expect(within(rowOf(paid(2))).getByRole('button', { name: 'DELIVER MC-1002' })).toBeTruthy();
    expect(within(rowOf(paid(3))).getByText('SHIPPED').title).toMatch(/^shipped already by Rahim at/);
  });

  it('U28 W7 says how many of it can be shipped as orders are paid, shipped and leave the list, and ships those', async () => {
    const sent: string[] = [];
    const unpaid = (n: number) => ({ ...paid(n), paid: false, version: 2 });
    const { store } = show(
      [unpaid(3), unpaid(2), unpaid(1)],
      {
        'POST /shipments': ({ body }) => {
          const { orders } = body as { orders: { id: string }[] };
          sent.push(...orders.map(({ id }) => id));
          return orders.map(({ id }) => ({ id, outcome: 'shipped', version: 4, shipment: 1 }));
        },
      },
      '/',
    );
    await userEvent.click(await screen.findByRole('checkbox', { name: 'Select all orders' }));
    expect(((await button(/^Ship 0/)) as HTMLButtonElement).disabled).toBe(true);
    for (const n of [1, 2, 3]) push(store, 'order', paid(n));
    expect(((await button(/^Ship 3/)) as HTMLButtonElement).disabled).toBe(false);
    push(store, 'order', shipped(paid(3)));
    await userEvent.click(await button(/^Ship 2/));
    await screen.findByRole('alertdialog', { name: 'Shipped' });
    expect(sent).toEqual([paid(2)._id, paid(1)._id]);
  });

  it('U28 W7 counts what stands in the list: an order that left it is selected no more', async () => {
    const { store } = show([paid(1), paid(2)]);
    await userEvent.click(await screen.findByRole('checkbox', { name: 'Select all orders' }));
    // Nothing holds the rows.
    act(() => (document.activeElement as HTMLElement).blur());
    await userEvent.unhover(screen.getByRole('checkbox', { name: 'Select all orders' }));
    push(store, 'order', shipped(paid(2)));
    await waitFor(() => expect(screen.queryByRole('row', { name: /Buyer 2/ })).toBeNull());
    expect(screen.getByText('1 selected')).toBeTruthy();
    expect(await button(/^Ship 1/)).toBeTruthy();
  });

  it('W7 R19 the page, and no order, has the focus once Clear has gone with the selection', async () => {
    show([paid(1), paid(2)]);
    await userEvent.click(await screen.findByRole('checkbox', { name: 'Select all orders' }));
    await userEvent.click(await button('Clear'));
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Order board' })));
  });

  it('W7 W5 a range is selected by x and Shift x', async () => {
    show([paid(1), paid(2), paid(3)]);
    (await button('Open order MC-1001')).focus();
    await userEvent.keyboard('x');
    expect(await screen.findByText('1 selected')).toBeTruthy();
    (await button('Open order MC-1003')).focus();
    fireEvent.keyDown(document.activeElement as Element, { key: 'X', shiftKey: true });
    expect(await screen.findByText('3 selected')).toBeTruthy();
  });
});

describe('keys', () => {
  it('W5 can be switched off in the list of keys, and stay off', async () => {
    show([paid(1)]);
    await userEvent.click(await button('Keys ?'));
    await userEvent.click(await button('Turn the keys off'));
    expect(localStorage.getItem('boardKeys')).toBe('false');
    await userEvent.keyboard('{Escape}');
    (await button('Open order MC-1001')).focus();
    vi.useFakeTimers();
    fireEvent.keyDown(document.activeElement as Element, { key: 'x' });
    act(() => void vi.advanceTimersByTime(1000));
    expect(screen.queryByText('1 selected')).toBeNull();
  });
});

describe('the filters', () => {
  it('U49 W4 count no half of a selection that is being shipped, and all of it once it is', async () => {
    // Loading the orders leaves a count pending, and fake timers that start later never run that real timer.
    vi.useFakeTimers({ shouldAdvanceTime: true });
    let [answer, counted] = [(_: object) => {}, 0];
    const { store } = show([paid(2), paid(1)], {
      'GET /board/counts': () => {
        counted += 1;
        return { all: 2, unpaid: 0, paid: 2, shipped: 0 };
      },
      'POST /shipments': () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    });
    await screen.findByText('All 2, To deliver 2', { exact: false });
    await userEvent.click(screen.getByRole('checkbox', { name: 'Select all orders' }));
    await userEvent.click(await button(/^Ship 2/));
    const before = counted;
    push(store, 'order', shipped(paid(1)));
    await act(() => vi.advanceTimersByTimeAsync(5_000));
    expect(counted).toBe(before);
    answer([paid(2), paid(1)].map(({ _id }) => ({ id: _id, outcome: 'shipped', version: 4, shipment: 1 })));
    await act(() => vi.advanceTimersByTimeAsync(5_000));
    expect(counted).toBeGreaterThan(before);
  });

  it.each([
    ['', 'No orders here'],
    ['?status=paid', 'Everything is shipped'],
    ['?status=unpaid', 'Every order is paid'],
    ['?status=shipped', 'Nothing is shipped yet'],
  ])('U49 W4 say what it means that the list of %j is empty', async (search, title) => {
    show([], {}, `/${search}`);
    expect(await screen.findByRole('heading', { name: title })).toBeTruthy();
  });

  it('W4 say how many orders each has', async () => {
    show([paid(1)], { 'GET /board/counts': () => ({ all: 1234, unpaid: 3, paid: 1, shipped: 1230 }) });
    await screen.findByText('All 1234, To deliver 1, Payment pending 3, Shipped 1230');
    expect(screen.getByRole('radio', { name: 'To deliver' })).toBeTruthy();
  });
});
