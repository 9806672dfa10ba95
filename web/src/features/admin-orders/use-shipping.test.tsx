import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';
import { closeApp, problem, push } from '../../app/app.fixture.tsx';
import { paidOrder as paid, updated } from '../../shop/orders/order.fixture.ts';
import { button, shipped, showBoard } from './board.fixture.tsx';

afterEach(closeApp);

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
  /**
   * Returns stub routes that ship orders and undo shipments, and the list of requests sent to them. `answer` may return
   * a response that replaces the default one.
   */
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
  /** Shows a board with two orders. The request to ship order `n` gets no response until the returned `answer` is called. */
  const showHolding = (n: number) => {
    const { sent, answers } = routes();
    let answer = () => {};
    const held = new Promise((resolve) => {
      answer = () => resolve({ ...updated, version: 4 });
    });
    showBoard([paid(1), paid(2)], { ...answers, [`PUT /orders/${idOf(n)}`]: () => held });
    return { sent, answer };
  };
  const withdrawals = (sent: Sent[]) => sent.filter(({ path }) => path === '/withdrawals');

  it('W8 undo targets the shipment made on this page, even if another admin has reshipped the order', async () => {
    const { sent, answers } = routes();
    const at = '2026-01-01T11:00:00.000Z';
    const { store } = showBoard([paid(1)], {
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

  it('W8 if selected orders are shipped again after an undo, the next undo targets the new shipments', async () => {
    let shipment = 0;
    const { sent, answers } = routes(({ path, orders }) => {
      if (path !== '/shipments') return undefined;
      shipment += 1;
      return orders.map(({ id }) => ({ id, outcome: 'shipped', version: 2 + 2 * shipment, shipment }));
    });
    const { store } = showBoard([paid(2), paid(1)], answers, '/');
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

  it('W8 after several orders are shipped together, the notice names the first and the last one', async () => {
    const { answers } = routes();
    showBoard([paid(1), paid(2), paid(3)], answers);
    await shipAll(3);
    await says('Shipped', 'MC-1001 to MC-1003');
  });

  it('W8 three undos take back three shipments, newest first, and a fourth undo says why it does nothing', async () => {
    const { sent, answers } = routes();
    showBoard([paid(1), paid(2), paid(3)], answers);
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

  it('W8 while one undo waits for the response to its shipment, another undo takes back an earlier shipment', async () => {
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

  it('W8 a late response to an older shipment leaves the newer notice and its Undo button in place', async () => {
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

  it('W7 CMD3 retrying the request that ships a selection sends the same idempotency key and orders', async () => {
    const { sent, answers } = routes(({ path }, count) =>
      path === '/shipments' && count === 1 ? problem('store_unavailable') : undefined,
    );
    showBoard([paid(2), paid(1)], answers, '/');
    await shipAll(2);
    await notice('Shipped');
    expect(sent).toHaveLength(2);
    expect(sent[0]?.key).toBeTruthy();
    expect(sent[1]).toEqual(sent[0]);
  });

  it('W8 undo takes back 350 shipments in two requests', async () => {
    const { sent, answers } = routes();
    showBoard(many(1001, 1350), answers, '/');
    await shipAll(350);
    await userEvent.click(await button(/^Undo/));
    expect((await notice('Taken back')).textContent).toContain('350 of 350 orders are to be delivered again.');
    expect(withdrawals(sent).map(({ orders }) => orders.length)).toEqual([200, 150]);
    expect(new Set(sent.map(({ path, key }) => `${path} ${key}`)).size).toBe(4);
  });

  it('W8 CMD3 undo resends a failed withdrawal request unchanged, and reports refused withdrawals', async () => {
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
    showBoard(many(1001, 1350), answers, '/');
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
