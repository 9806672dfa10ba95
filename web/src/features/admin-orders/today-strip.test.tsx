import { PROBLEMS } from '@micro-center/services/contracts/problems.ts';
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import { closeApp, problem, showApp, stubShop } from '../../app/app.fixture.tsx';
import { signedIn } from '../../session/session-slice.ts';
import { ADMIN } from '../../shop/orders/order.fixture.ts';
import { Toasts } from '../../ui/toasts.tsx';
import { ExportButton } from './export-button.tsx';
import { TodayStrip } from './today-strip.tsx';

afterEach(closeApp);

function show(element: React.ReactNode, answers: Parameters<typeof stubShop>[0]) {
  const app = showApp([
    {
      path: '/',
      element: (
        <>
          {element}
          <Toasts />
        </>
      ),
    },
  ]);
  stubShop(answers);
  act(() => void app.store.dispatch(signedIn(ADMIN)));
  return app;
}

it('Q4 if no order is waiting and no stock is low, the Today strip says so and keeps its links', async () => {
  stubShop({
    'GET /board/today': () => ({
      ...{ orders: 0, revenue: 0, longestWaitSince: null, waiting: 0, lowStock: 0 },
      hours: [],
    }),
  });
  showApp([{ path: '/', element: <TodayStrip /> }]);
  const link = (name: string) => screen.findByRole('link', { name });
  expect((await link('Nobody is waiting')).getAttribute('href')).toBe('/dashboard/allorder?status=paid');
  expect((await link('Nothing runs low')).getAttribute('href')).toBe('/dashboard/manageproduct?stock=low');
  expect(screen.queryByText(/none|Low stock/)).toBeNull();
});

it('Q4 the Today strip retries its request if the shop is briefly unavailable', async () => {
  let asked = 0;
  stubShop({
    'GET /board/today': () => {
      asked += 1;
      if (asked === 1) return problem('store_unavailable');
      return { orders: 12, revenue: 0, longestWaitSince: null, waiting: 0, lowStock: 0, hours: [] };
    },
  });
  showApp([{ path: '/', element: <TodayStrip /> }]);
  await screen.findByRole('link', { name: 'Orders today 12' }, { timeout: 10_000 });
});

it('Q4 the Today strip links today’s figures to their lists and shows a chart of the orders of the last 24 hours', async () => {
  stubShop({
    'GET /board/today': () => ({
      orders: 12,
      revenue: 104001,
      longestWaitSince: new Date(Date.now() - 3 * 3_600_000).toISOString(),
      waiting: 4,
      lowStock: 2,
      hours: Array.from({ length: 24 }, (_, n) => ({
        hour: new Date(Date.UTC(2026, 0, 1, n)).toISOString(),
        orders: n === 5 ? 7 : 0,
      })),
    }),
  });
  showApp([{ path: '/', element: <TodayStrip /> }]);
  const link = async (name: RegExp) => (await screen.findByRole('link', { name })).getAttribute('href');
  expect(await link(/Orders today 12/)).toBe('/dashboard/allorder');
  expect(await link(/Revenue today ৳104,001/)).toBe('/dashboard/allorder?status=paid');
  expect(await link(/Longest wait \d h/)).toBe('/dashboard/allorder?status=paid');
  expect(await link(/Low stock 2/)).toBe('/dashboard/manageproduct?stock=low');
  screen.getByRole('img', { name: 'Orders of the last 24 hours: 7 in all, at most 7 an hour' });
});

it('Q5 the CSV button exports all orders that match the filter and search, and a notice says why an export fails', async () => {
  const saved: string[] = [];
  vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:orders');
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download);
  });
  const asked: string[] = [];
  let refuses = false;
  show(<ExportButton view={{ status: 'paid', q: 'rina' }} />, {
    'GET /board/export': ({ url, bearer }) => {
      asked.push(`${bearer} ${url.search}`);
      return refuses ? problem('overloaded') : new Response('number\r\nMC-1042\r\n');
    },
  });
  const button = await screen.findByRole('button', { name: 'CSV' });
  await userEvent.click(button);
  await waitFor(() => expect(saved).toEqual(['orders-paid.csv']));
  expect(asked).toEqual(['admin-token ?status=paid&q=rina']);
  refuses = true;
  await waitFor(() => expect(button.hasAttribute('data-loading')).toBe(false));
  await userEvent.click(button);
  await screen.findByText(PROBLEMS.overloaded.title);
  vi.restoreAllMocks();
});
