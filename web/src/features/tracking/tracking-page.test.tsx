import type { TrackingView } from '@micro-center/services/contracts/tracking/tracking-view.ts';
import { act, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { closeApp, problem, showApp, stubShop } from '../../app/app.fixture.tsx';
import { refetchLive, takePushes } from '../../live/follow.ts';
import { wentLive, wentStale } from '../../live/live-slice.ts';
import { formatTime } from '../../ui/format.ts';
import TrackingPage from './tracking-page.tsx';

afterEach(closeApp);

const ORDER = '0123456789abcdef0123456789abcdef';
/** A token with version 1, generation 1, the order's id and a 16-byte MAC that isn't checked here. */
const TOKEN = Buffer.from(`0100000001${ORDER}${'ff'.repeat(16)}`, 'hex').toString('base64url');

function trackedOf(changes: Partial<TrackingView> = {}): TrackingView {
  return {
    ...{
      _id: ORDER,
      number: 'MC-1042',
      product: 'Norwester G7',
      img1: '/goods/norwester.svg',
      quantity: 2,
      status: 'placed',
      version: 2,
    },
    ...{ placedAt: '2026-01-01T10:00:00.000Z', confirmedAt: null, shippedAt: null, cancelledAt: null },
    ...{ carrier: null, trackingNumber: null, ...changes },
  };
}

const CONFIRMED = { status: 'confirmed', confirmedAt: '2026-01-01T10:05:00.000Z', version: 4 } as const;

let app: ReturnType<typeof showApp>;
function show(answer: () => unknown, token = TOKEN) {
  const calls = stubShop({ 'GET /tracking': answer });
  app = showApp([{ path: '/track/:token', element: <TrackingPage /> }], `/track/${token}`);
  return { calls, ...app };
}

const heading = (name: string) => screen.findByRole('heading', { level: 1, name });
const push = (view: TrackingView | null, version = view?.version ?? 99) =>
  act(() => void app.store.dispatch(takePushes([{ kind: 'tracking', id: ORDER, version, view }])));
const steps = () => screen.getAllByRole('listitem').map(({ textContent }) => textContent);

describe('the tracking page', () => {
  it.each([
    ['placed', {}, 'Order placed', 'Next, the shop confirms the order. Then it is packed and shipped.'],
    ['confirmed', CONFIRMED, 'Getting ready', 'Next, the shop packs the order and hands it to the carrier.'],
    [
      'shipped',
      { ...CONFIRMED, status: 'shipped', shippedAt: '2026-01-02T10:00:00.000Z' } as const,
      'On its way',
      'It has left the shop. Next, the carrier brings it to the door.',
    ],
    [
      'cancelled',
      { status: 'cancelled', cancelledAt: '2026-01-02T10:00:00.000Z' } as const,
      'Cancelled',
      'This order was cancelled. Nothing more will be shipped.',
    ],
  ])(
    'K5 the tracking page shows the progress of an order that is %s, and says what happens next',
    async (_status, changes, words, next) => {
      show(() => trackedOf(changes));
      await heading(words);
      screen.getByText(next);
      screen.getByRole('heading', { level: 2, name: 'Norwester G7' });
      screen.getByText('Quantity: 2');
      screen.getByText('Order MC-1042');
    },
  );

  it('O9 K5 a Bengali product name on the tracking page has the lang attribute bn', async () => {
    show(() => trackedOf({ product: 'কেসিং' }));
    expect((await screen.findByRole('heading', { level: 2, name: 'কেসিং' })).lang).toBe('bn');
  });

  it('O10 ORD12 TRACK3 the tracking page names the carrier and links to the carrier’s site without sending a referrer', async () => {
    show(() => trackedOf({ ...CONFIRMED, status: 'shipped', carrier: 'redx', trackingNumber: 'RX-7' }));
    const link = await screen.findByRole('link', { name: 'Follow the parcel at RedX' });
    expect(link.getAttribute('href')).toBe('https://redx.com.bd/track-parcel/?trackingId=RX-7');
    expect(link.getAttribute('rel')).toContain('noreferrer');
    screen.getByText(/Carried by RedX, number RX-7\./);
  });

  it('K5 LIVE1 the tracking page applies a push of a newer version and ignores a push of an older version', async () => {
    const { calls } = show(() => trackedOf());
    await heading('Order placed');
    push(trackedOf(CONFIRMED));
    await heading('Getting ready');
    push(trackedOf({ version: 3 }));
    expect(steps()).toEqual([
      `Placed${formatTime('2026-01-01T10:00:00.000Z')}`,
      `Confirmed${formatTime(CONFIRMED.confirmedAt)}`,
      'ShippedNot yet',
    ]);
    expect(calls.filter((call) => call === 'GET /tracking')).toHaveLength(1);
  });

  it('TRACK2 if a tracking link stops working while its page is open, the page shows the same message as for an unknown link', async () => {
    let ended = false;
    const { calls, store } = show(() => (ended ? problem('not_found') : trackedOf()));
    await heading('Order placed');
    expect(store.getState().live.tracking).toBe(TOKEN);
    ended = true;
    push(null);
    await heading('This tracking link does not work');
    expect(screen.queryByText('Norwester G7')).toBeNull();
    // The page connects as an ordinary visitor again, because a connection with this link's token would be refused
    // forever.
    await waitFor(() => expect(store.getState().live.tracking).toBeNull());
    const asked = calls.length;
    // Once connected again, the page refetches every document that it follows. It no longer follows the order of the
    // link that stopped working, so nothing is fetched.
    act(() => void store.dispatch(refetchLive()));
    expect([calls.length, store.getState().live.tracking]).toEqual([asked, null]);
  });

  it.each(['x', 'not base64!', '%C3%BF'])(
    'K5 TRACK1 a tracking link with the invalid token %s shows no order',
    async (token) => {
      show(() => problem('not_found'), encodeURIComponent(token));
      await heading('This tracking link does not work');
    },
  );

  it('TRACK3 the tracking token is sent in a header, never in a URL', async () => {
    show(() => trackedOf());
    await heading('Order placed');
    const sent: [string, string | null][] = [];
    const { fetch } = globalThis;
    vi.stubGlobal('fetch', (address: string, init: RequestInit) => {
      sent.push([new URL(address).pathname, new Headers(init.headers).get('x-tracking-token')]);
      return fetch(address, init);
    });
    push(null);
    await waitFor(() => expect(sent).toEqual([['/tracking', TOKEN]]));
  });

  it('HTTP1 if the shop responds with an error, the tracking page says that the order cannot be shown and offers a retry', async () => {
    show(() => problem('internal'));
    expect(await screen.findByText('The order cannot be shown')).toBeTruthy();
    screen.getByRole('button', { name: 'Retry' });
  });

  it('LIVE4 the tracking page says "This page updates by itself." only while it is live', async () => {
    const { store } = show(() => trackedOf());
    await heading('Order placed');
    act(() => void store.dispatch(wentLive()));
    screen.getByText('This page updates by itself.');
    act(() => void store.dispatch(wentStale()));
    expect(screen.queryByText('This page updates by itself.')).toBeNull();
    screen.getByText('Reconnecting ...');
  });

  it('when the user leaves the tracking page, the live connection no longer uses the tracking link', async () => {
    const { store, view } = show(() => trackedOf());
    await heading('Order placed');
    view.unmount();
    expect(store.getState().live.tracking).toBeNull();
  });
});
