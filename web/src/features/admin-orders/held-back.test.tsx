import { PROBLEMS } from '@micro-center/services/contracts/problems.ts';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';
import { closeApp, problem, push } from '../../app/app.fixture.tsx';
import { orderOf, paidOrder, productOf } from '../../shop/orders/order.fixture.ts';
import { button, rowOf, showBoard } from './board.fixture.tsx';

afterEach(closeApp);

const refunded = {
  ...paidOrder(1),
  heldBack: 'refunded',
  moneyBack: { returned: 104_001, returning: 0, left: 0 },
} as const;
const disputed = { ...paidOrder(2), heldBack: 'disputed', moneyBack: { returned: 0, returning: 0, left: 0 } } as const;
const free = paidOrder(3);
const keyNews = () => screen.getByRole('status', { name: 'Keys' }).textContent;
const deliver = (order: typeof free) => within(rowOf(order)).queryByRole('button', { name: /^DELIVER/ });

async function press(order: typeof free, key: string) {
  (await button(`Open order ${order.number}`)).focus();
  await userEvent.keyboard(key);
}

describe('a held-back order on the board', () => {
  it('ORD14 a row says why its order cannot be shipped, in place of DELIVER', async () => {
    const { store } = showBoard([refunded, disputed, free]);
    await button('DELIVER MC-1003');
    expect(within(rowOf(refunded)).getByText('Refunded').title).toContain('its money went back to the customer');
    expect(within(rowOf(disputed)).getByText('Disputed').title).toContain('the customer’s bank took back its money');
    for (const order of [refunded, disputed]) expect(deliver(order)).toBeNull();
    push(store, 'order', { ...free, heldBack: 'disputed', version: 4 });
    expect(deliver(free)).toBeNull();
    push(store, 'order', { ...free, version: 5 });
    expect(deliver(free)).not.toBeNull();
  });

  it('PAY9 ORD4 an order whose dispute was lost can be cancelled, and one whose dispute is open cannot', async () => {
    const lost = { ...paidOrder(4), heldBack: 'lost', moneyBack: { returned: 0, returning: 0, left: 0 } } as const;
    showBoard([disputed, lost]);
    await press(disputed, '{Enter}');
    await screen.findByText(/^This order cannot be shipped: the customer’s bank took back its money\.$/);
    expect(screen.queryByRole('button', { name: 'Cancel order' })).toBeNull();
    await press(lost, '{Enter}');
    await screen.findByText(
      /^This order cannot be shipped: its money is lost, because the bank decided for the customer\.$/,
    );
    expect(within(rowOf(lost)).getByText('Money lost')).not.toBeNull();
    await button('Cancel order');
  });

  it('ORD14 W5 the s key does not ship a held-back order, and says why', async () => {
    const { calls } = showBoard([refunded, disputed, free]);
    await press(refunded, 's');
    await waitFor(() => expect(keyNews()).toContain('MC-1001 cannot be shipped: its money went back to the customer.'));
    await press(disputed, 'x');
    await screen.findByText('1 selected');
    await userEvent.keyboard('s');
    await waitFor(() =>
      expect(keyNews()).toContain('MC-1002 cannot be shipped: the customer’s bank took back its money.'),
    );
    expect(calls.filter((call) => call.startsWith('PUT /orders'))).toEqual([]);
  });

  it('ORD14 W7 shipping all selected orders skips the held-back ones', async () => {
    let sent: unknown;
    showBoard([refunded, disputed, free, paidOrder(4)], {
      'POST /shipments': ({ body }) => {
        sent = body;
        return [];
      },
    });
    await userEvent.click(await screen.findByRole('checkbox', { name: 'Select all orders' }));
    await screen.findByText('4 selected');
    await userEvent.click(await button(/^Ship 2/));
    const orders = [free, paidOrder(4)].map(({ _id: id, version }) => ({ id, version }));
    await waitFor(() => expect(sent).toEqual({ orders }));
  });

  it.each(['order_refunded', 'order_disputed', 'order_erased'] as const)(
    'ORD14 if the shop refuses to ship an order with %s, the board says why',
    async (code) => {
      showBoard([free], { 'PUT /orders/:id': () => problem(code) });
      await press(free, 's');
      await screen.findByText(`MC-1003 was not shipped: ${PROBLEMS[code].title}`);
      expect(deliver(free)).not.toBeNull();
    },
  );
});

describe('the r key', () => {
  const answers = (order: typeof free) => ({
    'GET /orders/:id': () => order,
    [`GET /orders/${order._id}/timeline`]: () => [],
    [`GET /orders/${order._id}/tracking`]: () => ({ token: null }),
    [`GET /products/${order.productId}`]: () => productOf(),
  });

  it('PAY8 W5 opens the focused order with its refund form, which closes with the order', async () => {
    showBoard([free], answers(free));
    await press(free, 'r');
    const form = await screen.findByRole('form', { name: 'Refund' });
    await waitFor(() => expect(document.activeElement).toBe(form));
    await userEvent.click(await button('Close'));
    await waitFor(() => expect(screen.queryByRole('form', { name: 'Refund' })).toBeNull());
    await userEvent.click(await button(`Open order ${free.number}`));
    await button('Refund');
    expect(screen.queryByRole('form', { name: 'Refund' })).toBeNull();
  });

  it('PAY8 W5 says why there is nothing to refund', async () => {
    const unpaid = orderOf({ _id: '5'.repeat(24), number: 'MC-1005', name: 'Buyer 5' });
    showBoard([refunded, unpaid], {}, '/');
    await press(refunded, 'r');
    await waitFor(() => expect(keyNews()).toBe('r did nothing: MC-1001 has no money left to refund.'));
    await press(unpaid, 'r');
    await waitFor(() => expect(keyNews()).toBe('r did nothing: MC-1005 is not paid yet.'));
  });
});
