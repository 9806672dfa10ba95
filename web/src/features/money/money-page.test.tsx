import type { Ledger, LedgerRow } from '@micro-center/services/contracts/ledger/ledger.ts';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { showAdminPage } from '../../app/admin-page.fixture.tsx';
import { closeApp, problem, push } from '../../app/app.fixture.tsx';
import { orderOf, updated } from '../../shop/orders/order.fixture.ts';
import { formatTime } from '../../ui/format.ts';
import { ledgerOf, ledgerPeriod, ledgerRow, lostRow, openRow } from './money-page.fixture.ts';
import MoneyPage from './money-page.tsx';

afterEach(closeApp);

type Answers = Parameters<typeof showAdminPage>[1];

/** Shows the page with these rows. The array that is returned can be changed, for the next fetch. */
function show(rows: LedgerRow[], answers: Answers = {}) {
  const asked: URLSearchParams[] = [];
  const app = showAdminPage(<MoneyPage />, {
    'GET /ledger': ({ url }) => {
      asked.push(url.searchParams);
      return ledgerOf(rows);
    },
    'GET /ledger/periods': ({ url }) =>
      url.searchParams.get('by') === 'month' ? [ledgerPeriod('2026-03')] : [ledgerPeriod('2026-03-01')],
    ...answers,
  });
  return { ...app, asked };
}

const rowOf = (name: string | RegExp) => screen.findByRole('row', { name });
const table = (name: string) => screen.findByRole('table', { name });

describe('the money page', () => {
  it('Z1 R25 rows that differ come first, each with its cause and what to do next, and every row has both sides', async () => {
    show([openRow(1), ledgerRow(2)]);
    const attention = within(await table('Needs attention'));
    const open = attention.getByRole('row', { name: /MC-1001/ });
    for (const words of ['2 Mar 2026', '৳1,250.00', '৳750.00', '৳500.00', 'USD 0.60', 'USD 9.65']) {
      expect(open.textContent?.replaceAll('\u00a0', ' ')).toContain(words);
    }
    within(open).getByText("Stripe has a refund of ৳500.00 that the order doesn't know. Open the payment in Stripe.");
    expect(attention.queryByText('MC-1002')).toBeNull();
    const rest = within(await table('Everything else'));
    within(rest.getByRole('row', { name: /MC-1002/ })).getByText('Matches');
    expect(document.title).toBe('Money - Micro Center');
  });

  it('LEDGER3 the page says how far Stripe has been read, and warns in Stripe’s words if it cannot be read', async () => {
    const until = new Date(Date.now() - 600_000).toISOString();
    const app = (reading: Ledger['reading']) =>
      showAdminPage(<MoneyPage />, {
        'GET /ledger': () => ledgerOf([], { reading }),
        'GET /ledger/periods': () => [],
      });
    app({ until, problem: null });
    await screen.findByText(`Stripe is read up to ${formatTime(until)}.`);
    expect(screen.queryByRole('alert')).toBeNull();
    closeApp();
    app({ until, problem: 'The key lacks refund_read.' });
    within(await screen.findByRole('alert')).getByText(/Stripe said: “The key lacks refund_read.”/);
    closeApp();
    app({ until: '2026-03-01T18:30:00.000Z', problem: null });
    within(await screen.findByRole('alert')).getByText(/may be missing until Stripe can be read again/);
    closeApp();
    app({ until: null, problem: null });
    await screen.findByText('Stripe has not been read yet.');
  });

  it('Z1 a row links to its order on the board and to its payment in the local Stripe', async () => {
    show([openRow(1)]);
    const row = within(await rowOf(/MC-1001/));
    const link = (name: string | RegExp) => row.findByRole('link', { name });
    expect((await link('MC-1001')).getAttribute('href')).toBe(`/dashboard/allorder?order=${'1'.padStart(32, '0')}`);
    expect((await link(/^Stripe/)).getAttribute('href')).toBe('/demo-stripe/dashboard#pi_1');
  });

  it('Z1 in a live shop, a row links to its payment in Stripe’s dashboard', async () => {
    show([openRow(1)], {
      'GET /config.json': () => ({
        stripe: { mode: 'live', publishableKey: 'pk_live_0' },
        firebase: { mode: 'live', config: {} },
      }),
    });
    const link = await screen.findByRole('link', { name: /^Stripe/ });
    expect(link.getAttribute('href')).toBe('https://dashboard.stripe.com/payments/pi_1');
  });

  it('Z1 all reasons of an order that differs more than once are one click away', async () => {
    const { causes } = openRow(1);
    const missing = { cause: 'not_stated', movement: 'charge', about: 'pi_1', difference: { bdt: 125_000 } } as const;
    const { user } = show([openRow(1, { causes: [...causes, missing] })]);
    await user.click(await screen.findByRole('button', { name: 'Reasons MC-1001' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'What does not match: MC-1001' }));
    dialog.getByText("Stripe has a refund of ৳500.00 that the order doesn't know.");
    dialog.getByText("The order has a payment of ৳1,250.00 that Stripe hasn't stated.");
  });

  it('Z1 Z4 the summary has one line for each currency', async () => {
    show([]);
    const summary = await screen.findByText('Need attention');
    const words = summary.closest('dl')?.textContent?.replaceAll('\u00a0', ' ');
    expect(words).toBe(
      'Recorded৳2,500.00Stated৳2,000.00USD 5.00Difference৳500.00-USD 5.00FeeUSD 1.20NetUSD 19.30Need attention0',
    );
    screen.getByText('Nothing needs attention in this period.');
    screen.getByRole('heading', { name: 'No other money' });
  });

  it('Z1 the filter and the period are sent to the server, and a period that it would refuse is not', async () => {
    const { user, asked } = show([ledgerRow(1)]);
    await table('Everything else');
    const days = (query: URLSearchParams | undefined) =>
      (Date.parse(query?.get('to') ?? '') - Date.parse(query?.get('from') ?? '')) / 86_400_000 + 1;
    expect(days(asked.at(-1))).toBe(30);
    await user.click(screen.getByRole('radio', { name: '7 days' }));
    await waitFor(() => expect(days(asked.at(-1))).toBe(7));
    await user.click(screen.getByRole('radio', { name: 'Needs attention' }));
    await waitFor(() => expect(asked.at(-1)?.get('show')).toBe('open'));
    fireEvent.change(screen.getByLabelText('From'), { target: { value: '2026-01-05' } });
    fireEvent.change(screen.getByLabelText('To'), { target: { value: '2026-01-01' } });
    await screen.findByText('The first day is after the last day.');
    const { length } = asked;
    fireEvent.change(screen.getByLabelText('To'), { target: { value: '2026-01-31' } });
    await waitFor(() => expect(asked.length).toBeGreaterThan(length));
    expect(String(asked.at(-1))).toBe('from=2026-01-05&to=2026-01-31&show=open');
  });

  it('Z1 while the ledger cannot be loaded, the page says why and offers a retry', async () => {
    let fails = true;
    const { user } = show([], {
      'GET /ledger': () => (fails ? problem('forbidden') : ledgerOf([openRow(1)])),
    });
    await screen.findByRole('heading', { name: 'The ledger could not be loaded' });
    fails = false;
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    await rowOf(/MC-1001/);
  });

  it('Z2 a pushed order refetches the ledger, and a changed row is highlighted for a second', async () => {
    const rows = [openRow(1), ledgerRow(2)];
    const { store } = show(rows);
    await rowOf(/MC-1001/);
    vi.useFakeTimers({ shouldAdvanceTime: true });
    rows.splice(0, 1, ledgerRow(1));
    push(store, 'order', orderOf({ version: 9 }));
    await act(() => vi.advanceTimersByTimeAsync(2_000));
    const row = within(await table('Everything else')).getByRole('row', { name: /MC-1001/ });
    expect(row.dataset.changed).toBe('true');
    expect(screen.getByRole('row', { name: /MC-1002/ }).dataset.changed).toBeUndefined();
    await act(() => vi.advanceTimersByTimeAsync(1_000));
    expect(row.dataset.changed).toBeUndefined();
  });

  it('Z2 the ledger is fetched again every 15 s while the page is visible, and never while it is hidden', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const { asked } = show([openRow(1)]);
    await rowOf(/MC-1001/);
    const { length } = asked;
    await act(() => vi.advanceTimersByTimeAsync(15_100));
    expect(asked).toHaveLength(length + 1);
    const hide = (state: 'hidden' | 'visible') => {
      vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state);
      act(() => void document.dispatchEvent(new Event('visibilitychange')));
    };
    hide('hidden');
    await act(() => vi.advanceTimersByTimeAsync(60_000));
    expect(asked).toHaveLength(length + 1);
    hide('visible');
    await act(() => vi.advanceTimersByTimeAsync(100));
    expect(asked).toHaveLength(length + 2);
    vi.restoreAllMocks();
  });

  it('Z2 while the pointer is on the rows, they stay where they are, and new rows wait behind a button', async () => {
    const rows = [openRow(1)];
    const { user, store } = show(rows);
    await user.hover(await rowOf(/MC-1001/));
    vi.useFakeTimers({ shouldAdvanceTime: true });
    rows.splice(0, 1, openRow(3), ledgerRow(1));
    push(store, 'order', orderOf({ version: 9 }));
    await act(() => vi.advanceTimersByTimeAsync(2_000));
    within(within(await table('Needs attention')).getByRole('row', { name: /MC-1001/ })).getByText('Matches');
    expect(screen.queryByText('MC-1003')).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Show 1 new row' }));
    within(await table('Needs attention')).getByText('MC-1003');
    within(await table('Everything else')).getByText('MC-1001');
  });

  it('Z3 LEDGER4 an admin notes what money without an order is, and takes the note back', async () => {
    const notes: unknown[] = [];
    const { user } = show([lostRow(1)], {
      [`PUT /ledger/${'1'.padStart(32, '0')}/aside`]: ({ body }) => {
        notes.push(body);
        return updated;
      },
    });
    const attention = within(await table('Needs attention'));
    attention.getByText(
      "Stripe names order ffffffff…, which this shop doesn't have. Refund it in Stripe, or note what it is.",
    );
    await user.click(attention.getByRole('button', { name: 'Set aside money without an order' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Money without an order' }));
    dialog.getByText(`Order ${'f'.repeat(32)}`);
    await user.click(dialog.getByRole('button', { name: 'Set aside' }));
    dialog.getByText('Write what this money is.');
    await user.type(dialog.getByLabelText(/^What is this money/), ' Paid at the fair ');
    await user.click(dialog.getByRole('button', { name: 'Set aside' }));
    await screen.findByText('Set aside: Paid at the fair');

    await user.click(screen.getByRole('button', { name: 'Edit note money without an order' }));
    const again = within(await screen.findByRole('dialog', { name: 'Money without an order' }));
    await user.clear(again.getByLabelText(/^What is this money/));
    await user.click(again.getByRole('button', { name: 'Save note' }));
    await screen.findByText(/^Stripe names order/);
    expect(notes).toEqual([{ note: 'Paid at the fair' }, { note: '' }]);
  });

  it('Z4 LEDGER2 the plot has one chart for each currency, and a table with the same days', async () => {
    const today = new Date(Date.now() + 6 * 3_600_000).toISOString().slice(0, 10);
    const day = ledgerPeriod(today, { charged: { bdt: 100_000, usd: 900 }, refunded: { bdt: -40_000 } });
    const { user } = show([], { 'GET /ledger/periods': () => [day] });
    const chart = await screen.findByRole('img', { name: /^BDT of the last 90 days/ });
    expect(chart.getAttribute('aria-label')).toContain('৳1,000.00 charged, ৳400.00 refunded');
    const usd = screen.getByRole('img', { name: /^USD of the last 90 days/ });
    expect(usd.getAttribute('aria-label')?.replaceAll('\u00a0', ' ')).toContain('USD 9.00 charged, USD 0.00 refunded');
    const heights = [...chart.querySelectorAll('rect[data-kind="charged"]')].map((bar) => bar.getAttribute('height'));
    expect(heights).toHaveLength(90);
    expect(Number(heights.at(-1))).toBeCloseTo(100 * (1_000 / 1_400));
    await user.click(screen.getByRole('button', { name: 'Show as a table' }));
    expect((await table('Days')).textContent?.replaceAll('\u00a0', ' ')).toContain('৳1,000.00USD 9.00');
  });

  it('Z5 LEDGER5 the totals of all months, a month’s rows and the period’s rows are saved as CSV', async () => {
    const asked: string[] = [];
    const saved: Blob[] = [];
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});
    vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: (file: Blob) => saved.push(file) }));
    const { user } = show([], {
      'GET /ledger/periods': () => [ledgerPeriod('2026-02', { refunded: { bdt: -40_050 } })],
      'GET /ledger/export': ({ url }) => {
        asked.push(url.search);
        return new Response('order', { status: 200 });
      },
    });
    await user.click(await screen.findByRole('button', { name: 'CSV of Feb 2026' }));
    await waitFor(() => expect(asked).toEqual(['?from=2026-02-01&to=2026-02-28']));
    await user.click(screen.getByRole('button', { name: 'CSV of this period' }));
    await waitFor(() => expect(saved).toHaveLength(2));
    await user.click(screen.getByRole('button', { name: 'CSV of all totals' }));
    await waitFor(() => expect(saved).toHaveLength(3));
    vi.restoreAllMocks();
  });
});
