import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { closeApp, problem } from '../../app/app.fixture.tsx';
import { packingChanged, wentLive, wentStale } from '../../live/live-slice.ts';
import { ADMIN, paidOrder as paid } from '../../shop/orders/order.fixture.ts';
import { button, showBoard } from './board.fixture.tsx';

afterEach(closeApp);

describe('packing marks', () => {
  const claim = (name: string, left = 120_000) => ({ order: paid(1)._id, by: { id: `id of ${name}`, name }, left });
  const mark = (name: string) => screen.queryByRole('img', { name: `${name} is packing` });

  it('W10 PACK1 a row shows who is currently packing its order, and keeps DELIVER enabled', async () => {
    const { store } = showBoard([paid(1), paid(2)], { 'GET /packing': () => [claim('Nadia')] });
    expect(await within(await screen.findByRole('row', { name: /Buyer 1/ })).findByRole('img')).toBe(mark('Nadia'));
    expect(((await button('DELIVER MC-1001')) as HTMLButtonElement).disabled).toBe(false);
    act(() => void store.dispatch(packingChanged({ order: paid(1)._id, by: null, left: null })));
    expect(mark('Nadia')).toBeNull();
    act(() => void store.dispatch(packingChanged(claim('Omar'))));
    expect(mark('Omar')).toBeTruthy();
  });

  it('W10 PACK1 a packing indicator expires with its claim, and is shown even for a packer with the admin’s own name', async () => {
    const { store } = showBoard([paid(1)], { 'GET /packing': () => [claim('Nadia', 3_000)] });
    await waitFor(() => expect(mark('Nadia')).toBeTruthy());
    await waitFor(() => expect(mark('Nadia')).toBeNull(), { timeout: 6_000 });
    act(() => void store.dispatch(packingChanged(claim(ADMIN.name))));
    expect(mark(ADMIN.name)).toBeTruthy();
  });

  it.each([
    ['claimed', claim('Omar'), 'Omar'],
    ['released', { order: paid(1)._id, by: null, left: null }, null],
  ])('W10 PACK1 if an order is %s while claims are loading, the push takes precedence', async (_, pushed, packer) => {
    let answer: (claims: object) => void = () => {};
    const listed = new Promise((resolve) => {
      answer = resolve;
    });
    const { store, calls } = showBoard([paid(1), paid(2)], { 'GET /packing': () => listed });
    await waitFor(() => expect(calls).toContain('GET /packing'));
    act(() => void store.dispatch(packingChanged(pushed)));
    answer([claim('Nadia'), { ...claim('Rumi'), order: paid(2)._id }]);
    await waitFor(() => expect(mark('Rumi')).toBeTruthy());
    expect(mark('Nadia')).toBeNull();
    expect(packer === null || mark(packer)).toBeTruthy();
  });

  it('W10 packing indicators are off while claims are unavailable, and return once the page is live again', async () => {
    let off = true;
    const { store } = showBoard([paid(1)], {
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
