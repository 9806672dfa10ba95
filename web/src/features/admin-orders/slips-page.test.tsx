import { PROBLEMS } from '@micro-center/services/contracts/problems.ts';
import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { closeApp, problem, push, showApp, stubShop } from '../../app/app.fixture.tsx';
import { signedIn } from '../../session/session-slice.ts';
import { ADMIN, orderOf, PAID, SHIPPED } from '../../shop/orders/order.fixture.ts';
import { slipsOf } from './admin-orders.api.ts';
import SlipsPage from './slips-page.tsx';

afterEach(closeApp);

const ONE = orderOf(PAID);
const TWO = orderOf({
  ...PAID,
  _id: '2'.repeat(24),
  number: 'MC-1043',
  quantity: 3,
  name: 'Kamal',
  address: '১২ মিরপুর',
});
const UNPAID = orderOf({ _id: '3'.repeat(24), number: 'MC-1044' });
const GONE = '4'.repeat(24);

/** Returns `count` paid orders. */
const many = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ ...ONE, _id: `${n}`.padStart(24, 'a'), number: `MC-${2000 + n}` }));

const show = (...ids: string[]) => showAt(`/${slipsOf(ids).slice(slipsOf([]).indexOf('#'))}`);

/**
 * Opens the page at the given address. For each request, `refused` is called with the number of earlier requests. If
 * `refused` returns a response, that response replaces the list of orders.
 */
function showAt(address: string, orders = [ONE, TWO, UNPAID], refused: (before: number) => unknown = () => undefined) {
  const known = new Map(orders.map((order) => [order._id, order]));
  const asked: string[][] = [];
  stubShop({
    'GET /board/orders': ({ url }) => {
      const ids = url.searchParams.get('ids')?.split(',') ?? [];
      asked.push(ids);
      return refused(asked.length - 1) ?? ids.flatMap((id) => known.get(id) ?? []);
    },
  });
  const print = vi.fn();
  vi.stubGlobal('print', print);
  const app = showApp([{ path: '/', element: <SlipsPage /> }], address);
  act(() => void app.store.dispatch(signedIn(ADMIN)));
  return { print, asked, ...app };
}

describe('Packing slips', () => {
  it('Q3 each order’s packing slip shows the goods, the address and a scannable code, but no price', async () => {
    const { print } = show(ONE._id, TWO._id);
    const slip = within(await screen.findByRole('region', { name: 'Packing slip of MC-1043' }));
    slip.getByText('Kamal');
    expect(slip.getByText('১২ মিরপুর').lang).toBe('bn');
    slip.getByText('01711000000');
    slip.getByText('3 ×');
    expect(slip.getByRole('img', { name: 'Code of MC-1043' }).querySelector('path')?.getAttribute('d')).toMatch(
      /^M10 0h2v1h-2z/,
    );
    expect(screen.getByRole('region', { name: 'Packing slip of MC-1042' }).textContent).not.toContain('৳');
    await userEvent.click(screen.getByRole('button', { name: 'Print' }));
    expect(print).toHaveBeenCalledOnce();
  });

  it('Q3 the packing slips start with a pick list that shows each product’s total quantity', async () => {
    show(ONE._id, TWO._id);
    const picks = within(await screen.findByRole('region', { name: 'Pick list' }));
    await picks.findByRole('row', { name: '5 Norwester G7 MC-1042, MC-1043' });
  });

  it('Q3 the slips page says which orders get no packing slip, and why', async () => {
    show(UNPAID._id, GONE, ONE._id);
    await screen.findByRole('region', { name: 'Packing slip of MC-1042' });
    const alert = await screen.findByText('MC-1044 is not paid yet.');
    await screen.findByText(`An order could not be loaded: ${PROBLEMS.not_found.title}`);
    expect(alert.closest('[role=alert]')).toBeTruthy();
    screen.getByText('1 slip, a page of its own.');
    expect(screen.queryByRole('region', { name: 'Packing slip of MC-1044' })).toBeNull();
  });

  it('Q3 a packing slip is updated when its order changes', async () => {
    const { store } = show(ONE._id);
    const slip = within(await screen.findByRole('region', { name: 'Packing slip of MC-1042' }));
    push(store, 'order', { ...ONE, ...SHIPPED, address: 'House 9, Sylhet', carrier: 'redx', trackingNumber: 'RX-1' });
    slip.getByText('House 9, Sylhet');
    slip.getByText('RedX RX-1');
  });

  const hashOf = (orders: readonly { _id: string }[]) => `/#${orders.map(({ _id }) => _id).join(',')}`;
  const printButton = () => screen.getByRole('button', { name: 'Print' }) as HTMLButtonElement;

  it('Q3 the slips page loads 350 orders in four requests and shows a packing slip for each order', async () => {
    const orders = many(350);
    const { asked } = showAt(hashOf(orders), orders);
    await screen.findByText('350 slips, a page each.');
    expect(document.querySelectorAll('[aria-label^="Packing slip of"]')).toHaveLength(350);
    expect(asked.map((ids) => ids.length)).toEqual([100, 100, 100, 50]);
    expect(printButton().disabled).toBe(false);
  });

  it('Q3 if some orders fail to load, the slips page disables Print, and Retry requests only the missing orders', async () => {
    const orders = many(150);
    const { asked } = showAt(hashOf(orders), orders, (before) => (before === 1 ? problem('internal') : undefined));
    const alert = within(await screen.findByRole('alert'));
    alert.getByText('50 of 150 orders could not be loaded');
    screen.getByText('100 slips, a page each.');
    expect(printButton().disabled).toBe(true);
    await userEvent.click(alert.getByRole('button', { name: 'Retry' }));
    await screen.findByText('150 slips, a page each.');
    expect(screen.queryByRole('alert')).toBeNull();
    expect(printButton().disabled).toBe(false);
    expect(asked).toEqual([expect.anything(), asked[2], orders.slice(100).map(({ _id }) => _id)]);
  });

  it('Q3 the slips page still accepts older URLs, which list the orders in ?orders=', async () => {
    showAt(`/?orders=${ONE._id},${TWO._id}`);
    await screen.findByText('2 slips, a page each.');
  });

  it('Q3 the slips page links back to the board if its URL names no orders', async () => {
    show();
    await screen.findByRole('heading', { name: 'No orders are chosen' });
    expect(screen.getByRole('link', { name: 'Manage Orders' })).toBeTruthy();
  });
});
