import type { OrderView, TimelineEntry } from '@micro-center/services/contracts/views.ts';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { closeApp, problem, push as pushTo, showApp, stubShop } from '../../app/app.fixture.tsx';
import { signedIn, signedOut } from '../../session/session-slice.ts';
import { CUSTOMER, deleted, orderOf, PAID, SHIPPED, updated } from '../../shop/orders/order.fixture.ts';
import type { OrderPageState } from '../../shop/orders/received-payment.ts';
import { formatTime } from '../../ui/format.ts';
import { setServerClock } from '../../ui/server-clock.ts';
import OrderPage from './order-page.tsx';
import { formatSpan, refundOf } from './order-words.ts';

const ID = orderOf()._id;
const PATH = `/dashboard/myorders/${ID}`;
const PLACED: TimelineEntry = { type: 'placed', at: '2026-01-01T10:00:00.000Z', version: 1 };

// Half an hour after the order was placed.
beforeEach(() => vi.useFakeTimers({ now: Date.parse('2026-01-01T10:30:00.000Z'), toFake: ['Date'] }));
afterEach(closeApp);

let store: ReturnType<typeof showApp>['store'];

function show(order: OrderView, answers: Parameters<typeof stubShop>[0] = {}, state?: OrderPageState) {
  const calls = stubShop({
    'GET /orders/:id': () => order,
    [`GET /orders/${ID}/timeline`]: () => [PLACED],
    'GET /promise': () => null,
    ...answers,
  });
  const routes = [
    { path: '/dashboard/myorders/:id', element: <OrderPage /> },
    { path: '/login', element: null },
  ];
  const app = showApp(routes, PATH);
  store = app.store;
  if (state) act(() => void app.router.navigate(PATH, { replace: true, state }));
  act(() => void app.store.dispatch(signedIn(CUSTOMER)));
  return { calls, ...app };
}

const push = (order: OrderView) => pushTo(store, 'order', order);
const headline = (name: string) => screen.findByRole('heading', { level: 1, name });
const steps = () =>
  within(screen.getByRole('list', { name: 'Steps of the order' }))
    .getAllByRole('listitem')
    .map((step) => step.textContent);

describe("an order's page", () => {
  it('O4 shows steps, quantity, address, total in ৳, number, and what happens next', async () => {
    show(orderOf({ address: 'বাড়ি ৭, ধানমন্ডি, ঢাকা' }));
    await headline('Waiting for payment');
    screen.getByText(`Pay ৳104,001 by ${formatTime('2026-01-02T10:00:00.000Z')}, and we start packing.`);
    expect(steps()).toEqual([`Placed${formatTime(PLACED.at)}`, 'PaidNot yet', 'ShippedNot yet']);
    screen.getByText('Quantity 2');
    screen.getByText('বাড়ি ৭, ধানমন্ডি, ঢাকা');
    expect(screen.getAllByText('৳104,001').length).toBeGreaterThan(0);
    screen.getByText('Order MC-1042');
    expect(document.title).toBe('Order MC-1042 - Micro Center');
    await screen.findByText('Order placed');
  });

  it('U29 O4 ORD6 offers PAY NOW by the shop’s clock on a device that is two days fast', async () => {
    const shopTime = new Date(Date.now()).toUTCString();
    vi.setSystemTime(Date.now() + 48 * 3_600_000);
    show(orderOf(), {
      'GET /orders/:id': () => new Response(JSON.stringify(orderOf()), { headers: { date: shopTime } }),
    });
    await screen.findByRole('link', { name: 'PAY NOW' });
    screen.getByText(/^23 h \d+ min left to pay$/);
    vi.setSystemTime(Date.now() - 48 * 3_600_000);
    setServerClock(shopTime, Date.now(), Date.now());
  });

  it('O4 offers PAY NOW and CANCEL ORDER while unpaid, with the time left', async () => {
    show(orderOf());
    const pay = await screen.findByRole('link', { name: 'PAY NOW' });
    expect(pay.getAttribute('href')).toBe(`/dashboard/payment/${ID}`);
    screen.getByText('23 h 30 min left to pay');
    screen.getByRole('button', { name: 'CANCEL ORDER' });
  });

  it('O4 offers no payment once the time for it is over', async () => {
    show(orderOf({ expiresAt: '2026-01-01T10:29:59.000Z' }));
    await screen.findByText(/The time to pay is over/);
    expect(screen.queryByRole('link', { name: 'PAY NOW' })).toBeNull();
  });

  it.each([
    [59_999, 'less than a minute'],
    [3_540_000, '59 min'],
    [3_600_000, '1 h 0 min'],
    [172_800_000, '2 days 0 h'],
  ])('O4 says %i ms as %s', (span, words) => expect(formatSpan(span)).toBe(words));

  it('O3 O4 cancels after a question, and stays on the page, which says so', async () => {
    const gone = orderOf({ cancelledAt: '2026-01-01T10:31:00.000Z', cancelReason: 'customer', version: 2 });
    let order = orderOf();
    const { calls } = show(order, {
      'GET /orders/:id': () => order,
      'DELETE /orders/:id': () => {
        order = gone;
        return deleted;
      },
    });
    await userEvent.click(await screen.findByRole('button', { name: 'CANCEL ORDER' }));
    const dialog = await screen.findByRole('dialog', { name: 'Delete Order' });
    await userEvent.click(within(dialog).getByRole('button', { name: 'Cancel order' }));
    await headline('Cancelled');
    screen.getByText('Nothing will be sent. You paid nothing.');
    expect(steps().at(-1)).toBe(`Cancelled${formatTime('2026-01-01T10:31:00.000Z')}`);
    expect(screen.queryByRole('link', { name: 'PAY NOW' })).toBeNull();
    expect(calls.filter((call) => call.startsWith('DELETE'))).toEqual([`DELETE /orders/${ID}`]);
  });

  it('U32 O3 R19 cancelled by keyboard, the order has the focus on its heading, which says so', async () => {
    const gone = orderOf({ cancelledAt: '2026-01-01T10:31:00.000Z', cancelReason: 'customer', version: 2 });
    let order = orderOf();
    show(order, {
      'GET /orders/:id': () => order,
      'DELETE /orders/:id': () => {
        order = gone;
        return deleted;
      },
    });
    const user = userEvent.setup();
    (await screen.findByRole('button', { name: 'CANCEL ORDER' })).focus();
    await user.keyboard('{Enter}');
    const dialog = within(await screen.findByRole('dialog', { name: 'Delete Order' }));
    await waitFor(() => expect(document.activeElement).toBe(dialog.getByRole('button', { name: 'Keep order' })));
    await user.tab();
    await user.keyboard('{Enter}');
    const heading = await headline('Cancelled');
    await waitFor(() => expect(document.activeElement).toBe(heading));
  });

  it('O4 X3 follows payment and shipping by push, and offers a review then', async () => {
    show(orderOf());
    await headline('Waiting for payment');
    push(orderOf(PAID));
    await headline('Paid');
    await screen.findByText('We are packing it. Next, it leaves our shop.');
    expect(screen.queryByRole('button', { name: 'CANCEL ORDER' })).toBeNull();
    push(orderOf(SHIPPED));
    await headline('Shipped');
    expect(steps()[2]).toBe(`Shipped${formatTime(SHIPPED.shippedAt)}`);
    const review = screen.getByRole('link', { name: 'Write a review' });
    expect(review.getAttribute('href')).toBe('/dashboard/addreview?item=Norwester%20G7');
    expect(screen.queryByRole('button', { name: /Change address/ })).toBeNull();
  });

  it('E30 O4 an order that the shop cancelled says so', async () => {
    show(orderOf({ cancelledAt: '2026-01-02T10:00:00.000Z', cancelReason: 'admin' }));
    await headline('Cancelled');
    screen.getByText('The shop cancelled it. Nothing will be sent. You paid nothing.');
  });

  it('O4 an order that expired says so', async () => {
    show(orderOf({ cancelledAt: '2026-01-02T10:00:00.000Z', cancelReason: 'expired' }));
    await headline('Expired');
    screen.getByText(/It was not paid in time/);
  });

  it('O4 an order that is not there, or of somebody else, leads to My orders', async () => {
    show(orderOf(), { 'GET /orders/:id': () => problem('forbidden') });
    await screen.findByText('This order is not among yours');
    screen.getByRole('link', { name: 'My orders' });
  });

  it('O4 R24 has one heading while it loads, when that fails and after, and the focus stays on it', async () => {
    let answer: (order: unknown) => void = () => {};
    const answers = [
      () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
      () => orderOf(),
    ];
    show(orderOf(), { 'GET /orders/:id': () => answers.shift()?.() });
    const heading = await headline('Order');
    screen.getByRole('status', { name: 'Loading the order' });
    heading.tabIndex = -1;
    heading.focus();
    await waitFor(() => expect(answers).toHaveLength(1));
    answer(problem('internal'));
    await screen.findByRole('heading', { level: 2, name: 'The order could not be loaded' });
    expect(screen.getAllByRole('heading', { level: 1 })).toEqual([heading]);
    const retry = screen.getByRole('button', { name: 'Retry' });
    act(() => retry.click());
    expect(await headline('Waiting for payment')).toBe(heading);
    expect(document.activeElement).toBe(heading);
  });

  it('Y3 Y4 says after a payment that it is completed, with its transaction id', async () => {
    show(orderOf(PAID), {}, { received: { transactionId: 'pi_3Nx', outcome: 'recorded' } });
    await screen.findByRole('heading', { name: 'Congrats! Your payment is completed.' });
    expect(screen.getAllByText('pi_3Nx').length).toBeGreaterThan(0);
  });

  it('U52 Y3 O4 has the id of a payment once, and that of another one where it first appears', async () => {
    const at = '2026-01-01T10:20:00.000Z';
    show(orderOf(PAID), {
      [`GET /orders/${ID}/timeline`]: () => [
        PLACED,
        { type: 'payment_started', at, version: 2, transactionId: 'pi_3Nx' },
        { type: 'paid', at, version: 3, transactionId: 'pi_3Nx', amount: 104_001 },
        { type: 'refund_due', at, version: 4, transactionId: 'pi_twice', amount: 104_001, reason: 'already_paid' },
        { type: 'refunded', at, version: 5, transactionId: 'pi_twice', amount: 104_001 },
      ],
    });
    await screen.findByText('pi_twice');
    screen.getByText('pi_3Nx');
  });

  it('U52 O4 has what was bought, where it goes and what to do before its history, and explains the total', async () => {
    show(orderOf({ product: 'কেসিং' }));
    const history = await screen.findByRole('heading', { name: 'What happened' });
    const before = [
      screen.getByRole('link', { name: 'PAY NOW' }),
      screen.getByRole('heading', { name: 'কেসিং' }),
      screen.getByRole('heading', { name: 'Delivery' }),
    ];
    for (const part of before) {
      expect(part.compareDocumentPosition(history)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    }
    screen.getByText('2 × ৳52,000.50');
    screen.getByText('Included');
    expect(screen.getByText('কেসিং').lang).toBe('bn');
  });

  it('Y4 PAY2 does not ask for a second payment while the order does not show the first', async () => {
    show(orderOf(), {}, { received: { transactionId: 'pi_3Nx', outcome: 'late' } });
    await screen.findByText(/We received your payment/);
    expect(screen.queryByRole('link', { name: 'PAY NOW' })).toBeNull();
  });
});

describe('the delivery', () => {
  /** Opens the form; `sent` returns what was saved last. */
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

  it('O5 is corrected in place until the order ships, and follows the push', async () => {
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

  it('U19 O5 a field that was not touched follows the order, so that saving the other field undoes nothing', async () => {
    const { user, form, sent } = await changeDelivery();
    await user.type(form.getByRole('textbox', { name: /Address/ }), ', Block C');
    push(orderOf({ address: 'Elsewhere', phone: '01899999999', version: 2 }));
    await waitFor(() => expect((form.getByLabelText(/Phone/) as HTMLInputElement).value).toBe('01899999999'));
    await user.click(form.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(screen.queryByRole('form')).toBeNull());
    expect(sent()).toEqual({ address: `${orderOf().address}, Block C`, phone: '01899999999' });
  });

  it('U30 P5 what is typed is there after the session has ended and the same person has signed in again', async () => {
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

  it('O5 says why it is not corrected when the order shipped meanwhile', async () => {
    show(orderOf(PAID), { [`PUT /orders/${ID}/delivery`]: () => problem('order_shipped') });
    await userEvent.click(await screen.findByRole('button', { name: 'Change address or phone' }));
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByText('This order has already been shipped.');
  });
});

describe('what the shop promises', () => {
  it.each([
    [{ orders: 40, inTime: 38 }, 'Paid orders shipped within a day 9 times out of 10 this month.'],
    [null, null],
  ])('O6 of %j says %s', async (answer, words) => {
    const { calls } = show(orderOf(), { 'GET /promise': () => answer });
    await headline('Waiting for payment');
    await waitFor(() => expect(calls).toContain('GET /promise'));
    if (words) await screen.findByText(words);
    else expect(screen.queryByText(/within a day/)).toBeNull();
  });
});

describe('news that it ships', () => {
  class Notification {
    static permission = 'default';
    static requestPermission = async () => {
      Notification.permission = 'granted';
      return 'granted';
    };
    static shown: string[] = [];
    onclick = null;
    constructor(title: string, { body }: { body: string }) {
      Notification.shown.push(`${title}: ${body}`);
    }
  }
  beforeEach(() => {
    vi.stubGlobal('Notification', Notification);
    Notification.permission = 'default';
    Notification.shown = [];
  });

  it('O7 the title of the tab changes, and a notification shows where it was allowed by a click', async () => {
    const asked = vi.spyOn(Notification, 'requestPermission');
    show(orderOf(PAID));
    const ask = await screen.findByRole('button', { name: 'Notify me when it ships' });
    expect(asked).not.toHaveBeenCalled();
    await userEvent.click(ask);
    await screen.findByText(/A notification tells you/);
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    push(orderOf(SHIPPED));
    await waitFor(() => expect(document.title).toBe('Shipped - MC-1042 - Micro Center'));
    await act(() => vi.advanceTimersByTimeAsync(30_000));
    expect(Notification.shown).toEqual(['Order MC-1042 is shipped: 2 × Norwester G7 is on its way.']);
  });

  it('O7 ORD11 a shipment that is withdrawn within 30 seconds notifies nobody, and the next one does', async () => {
    Notification.permission = 'granted';
    show(orderOf(PAID));
    await headline('Paid');
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    push(orderOf(SHIPPED));
    await headline('Shipped');
    await act(() => vi.advanceTimersByTimeAsync(10_000));
    push(orderOf({ ...PAID, version: 5 }));
    await headline('Paid');
    expect(document.title).toBe('Order MC-1042 - Micro Center');
    await act(() => vi.advanceTimersByTimeAsync(60_000));
    expect(Notification.shown).toEqual([]);
    push(orderOf({ ...SHIPPED, shipment: 2, version: 6 }));
    await headline('Shipped');
    await act(() => vi.advanceTimersByTimeAsync(30_000));
    expect(Notification.shown).toHaveLength(1);
  });

  it('O7 an order that had shipped before is not told of', async () => {
    Notification.permission = 'granted';
    show(orderOf(SHIPPED));
    await headline('Shipped');
    expect(document.title).toBe('Shipped - MC-1042 - Micro Center');
    expect(Notification.shown).toEqual([]);
  });
});

describe('a shipment', () => {
  const SHIPMENT: readonly TimelineEntry[] = [
    PLACED,
    { type: 'paid', at: '2026-01-01T10:05:00.000Z', version: 2 },
    { type: 'shipped', at: '2026-01-01T11:00:00.000Z', version: 3 },
    {
      ...{ type: 'parcel_recorded', at: '2026-01-01T11:00:00.000Z', version: 4 },
      ...{ carrier: 'steadfast', trackingNumber: 'SF-1042' },
    },
  ];
  const happened = () =>
    within(screen.getByRole('list', { name: 'Everything that happened' }))
      .getAllByRole('listitem')
      .map((entry) => entry.querySelector('span')?.textContent);

  it('O10 ORD12 says who carries it, and leads to the carrier by a link made of the table', async () => {
    show(orderOf({ ...SHIPPED, carrier: 'steadfast', trackingNumber: 'SF-1042' }), {
      [`GET /orders/${ID}/timeline`]: () => SHIPMENT,
    });
    const link = await screen.findByRole('link', { name: 'Follow the parcel at Steadfast' });
    expect(link.getAttribute('href')).toBe('https://steadfast.com.bd/t/SF-1042');
    expect(link.getAttribute('rel')).toContain('noreferrer');
    await waitFor(() => expect(happened().at(-1)).toBe('Handed to the carrier Steadfast, number SF-1042'));
  });

  it.each([
    [null, 'Shipment withdrawn', 'It was marked as shipped by mistake.'],
    ['mistake', 'Shipment withdrawn: it was marked as shipped by mistake', 'It was marked as shipped by mistake.'],
    ['damaged', 'Shipment withdrawn: the parcel was damaged', 'The parcel was damaged before it left us.'],
    ['not_collected', 'Shipment withdrawn: the carrier did not collect it', 'The carrier did not collect the parcel.'],
    ['address', 'Shipment withdrawn: the address was not right', 'The address on the parcel was not right.'],
  ] as const)(
    'O10 ORD11 that was withdrawn (%s) is told with its reason, and what happens next',
    async (withdrawal, entry, why) => {
      const withdrawn = { type: 'shipment_withdrawn', withdrawal, at: '2026-01-01T11:05:00.000Z', version: 5 } as const;
      show(orderOf({ ...PAID, version: 5 }), { [`GET /orders/${ID}/timeline`]: () => [...SHIPMENT, withdrawn] });
      await headline('Paid');
      await screen.findByText(`${why} We are packing it again. Next, it leaves our shop.`);
      expect(happened().at(-1)).toBe(entry);
      expect(screen.queryByText(/Carried by/)).toBeNull();
    },
  );

  it('O10 ORD11 is not said to be packed for the first time until its timeline says so', async () => {
    const withdrawn = {
      type: 'shipment_withdrawn',
      withdrawal: null,
      at: '2026-01-01T11:05:00.000Z',
      version: 5,
    } as const;
    let tell: (entries: readonly TimelineEntry[]) => void = () => {};
    const told: Promise<readonly TimelineEntry[]>[] = [Promise.resolve(SHIPMENT)];
    show(orderOf({ ...SHIPPED, version: 4 }), { [`GET /orders/${ID}/timeline`]: () => told.at(-1) });
    await headline('Shipped');
    await waitFor(() => expect(happened()).toHaveLength(4));
    told.push(
      new Promise((resolve) => {
        tell = resolve;
      }),
    );
    push(orderOf({ ...PAID, version: 5 }));
    await headline('Paid');
    expect(screen.queryByText(/We are packing it/)).toBeNull();
    tell([...SHIPMENT, withdrawn]);
    await screen.findByText('It was marked as shipped by mistake. We are packing it again. Next, it leaves our shop.');
  });
});

describe('refunds', () => {
  it('N1 the timeline has its times and refunds', async () => {
    show(orderOf(PAID), {
      [`GET /orders/${ID}/timeline`]: () => [
        PLACED,
        { type: 'refund_due', at: '2026-01-01T10:20:00.000Z', version: 5, amount: 104001, reason: 'already_paid' },
      ],
    });
    expect(await screen.findByText(/Order placed/)).toBeTruthy();
    expect(screen.getByText('Refund on its way (৳104,001): the order was paid already')).toBeTruthy();
    screen.getByText(/A refund is on its way to your card./);
  });

  const at = '2026-01-01T10:20:00.000Z';
  const entry = (type: TimelineEntry['type'], transactionId: string, version: number): TimelineEntry => ({
    ...{ type, at, version, transactionId, amount: 104_001 },
  });
  it.each([
    ['T21 PAY4 one of two refunds made: still due', ['refund_due pi_1', 'refund_due pi_2', 'refunded pi_1'], 'due'],
    ['PAY4 both made', ['refund_due pi_1', 'refund_due pi_2', 'refunded pi_1', 'refunded pi_2'], 'refunded'],
    ['E6 PAY6 one failed', ['refund_due pi_1', 'refund_failed pi_1'], 'failed'],
    ['E6 PAY6 one failed after it was made', ['refund_due pi_1', 'refunded pi_1', 'refund_failed pi_1'], 'failed'],
    ['E6 PAY6 made after one failed', ['refund_due pi_1', 'refund_failed pi_1', 'refunded pi_1'], 'refunded'],
  ])('%s', (_title, happened, state) => {
    const entries = happened.map((text, index) => {
      const [type, intent = ''] = text.split(' ');
      return entry(type as TimelineEntry['type'], intent, index + 2);
    });
    expect(refundOf(entries)).toEqual({ state, at: state === 'refunded' ? at : null });
  });
});
