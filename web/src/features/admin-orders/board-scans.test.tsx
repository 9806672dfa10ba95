import { act, createEvent, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';
import { closeApp, type stubShop } from '../../app/app.fixture.tsx';
import { paidOrder as paid, productOf, updated } from '../../shop/orders/order.fixture.ts';
import { showBoard } from './board.fixture.tsx';

afterEach(closeApp);

describe('scanning a code while an order is open', () => {
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
    const app = showBoard(
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

  it('Q2 W9 if the order had already been shipped, the notice says by whom, and that the tracking number was not recorded', async () => {
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

  it('W6 Q2 a scanned code that is not an order number is entered as the tracking number and is not searched for', async () => {
    const { number, found } = await opened();
    scan(await screen.findByRole('heading', { name: 'MC-1001' }), 'RX-20931');
    await waitFor(() => expect(number.value).toBe('RX-20931'));
    expect(document.activeElement).toBe(number);
    expect(found).toEqual([]);
  });

  it('W6 Q2 a code scanned while the carrier list has the focus is entered as the tracking number', async () => {
    const { number } = await opened();
    scan(screen.getByRole('combobox', { name: 'Carrier' }), 'RX-20931');
    await waitFor(() => expect(number.value).toBe('RX-20931'));
  });

  it('W6 Q2 an order number scanned into the tracking number field opens that order and does not submit the form', async () => {
    const { app, number, other } = await opened();
    expect(scan(number, 'mc-1002').submits).toBe(false);
    await waitFor(() => expect(app.router.state.location.search).toBe(`?order=${other._id}`));
  });

  it.each([
    ['last', ['MC-1002', 'MC-1003']],
    ['first', ['MC-1003', 'MC-1002']],
  ])('W6 two quick scans open the second order if its response arrives %s', async (_what, answered) => {
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

  it('W6 a filter selected while a scanned order is being looked up stays selected', async () => {
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
