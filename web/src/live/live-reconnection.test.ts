import { describe, expect, it, vi } from 'vitest';
import { boardOrders } from '../features/admin-orders/admin-orders.api.ts';
import { trackedBy } from '../features/tracking/tracking.api.ts';
import { signedOut } from '../session/session-slice.ts';
import { allReviews } from '../shop/reviews/reviews.api.ts';
import { follow } from './follow.ts';
import { trackingFollowed } from './live-slice.ts';
import {
  fetched,
  first,
  live,
  openPages,
  push,
  received,
  second,
  signIn,
  socket,
  stop,
  store,
} from './live-socket.fixture.ts';
import type { LiveList } from './views.ts';

openPages();

describe('the live socket, when its connection ends or the user changes', () => {
  it('LIVE2 live data is refetched only on a reconnect and on a valid resync message', async () => {
    socket.happens('connect');
    store.dispatch(follow(allReviews));
    await vi.waitFor(() => expect(fetched).toBe(1));
    await vi.waitFor(() => expect(store.getState().views.followed[allReviews.path]?.request).toBeNull());
    socket.happens('disconnect', 'transport close');
    socket.happens('connect');
    await vi.waitFor(() => expect(fetched).toBe(2));
    await vi.waitFor(() => expect(store.getState().views.followed[allReviews.path]?.request).toBeNull());
    socket.happens('resync', { reason: 'recovered' });
    await vi.waitFor(() => expect(fetched).toBe(3));
    socket.happens('resync', { reason: 'made-up' });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(fetched).toBe(3);
  });

  it('LIVE2 a push that is still queued when the page catches up does not bring back a removed document', async () => {
    socket.happens('connect');
    store.dispatch(follow(allReviews));
    const list = () => store.getState().views.followed[allReviews.path] as LiveList | undefined;
    await vi.waitFor(() => expect(list()).toMatchObject({ request: null, ids: [] }));
    socket.happens('view', push);
    socket.happens('resync', { reason: 'recovered' });
    await vi.waitFor(() => expect(fetched).toBe(2));
    await vi.waitFor(() => expect(list()?.request).toBeNull());
    second();
    expect(list()?.ids).toEqual([]);
  });

  it('LIVE2 after a reconnect, the orders are refetched even if a request for the reviews hangs', async () => {
    const asked: string[] = [];
    vi.stubGlobal('fetch', (address: string) => {
      const { pathname } = new URL(address);
      asked.push(pathname);
      return pathname === '/reviews' ? new Promise(() => {}) : Promise.resolve(new Response('[]'));
    });
    socket.happens('connect');
    store.dispatch(follow(allReviews));
    const board = boardOrders({});
    store.dispatch(follow(board));
    await vi.waitFor(() =>
      expect(store.getState().views.followed[board.path]).toMatchObject({ request: null, ids: [] }),
    );
    socket.happens('disconnect', 'transport close');
    socket.happens('connect');
    expect(live().state).toBe('live');
    await vi.waitFor(() => expect(asked).toEqual(['/reviews', '/orders', '/orders']));
  });

  it('the live socket reconnects with the new credentials when a user signs in, renews the session or signs out', () => {
    expect(socket.connects).toBe(1);
    store.dispatch(signIn('one'));
    store.dispatch(signIn('two'));
    expect(socket.connects).toBe(3);
    expect(live().state).toBe('connecting');
    store.dispatch(signIn('two'));
    expect(socket.connects).toBe(3);
    store.dispatch(signedOut({ reason: 'by-user' }));
    expect(socket.connects).toBe(4);
  });

  it('LIVE3 pushes that are still queued for one user are dropped when another user signs in', () => {
    store.dispatch(signIn('one'));
    socket.happens('connect');
    socket.happens('view', push);
    store.dispatch(signIn('two'));
    second();
    expect(received()).toBeUndefined();
    expect(live().lagMs).toBeNull();
    socket.happens('connect');
    socket.happens('view', push);
    second();
    expect(received()).toBe(2);
  });

  it('TRACK4 while a tracking page is open, the live socket authenticates with the tracking link, even if a user signs in meanwhile', () => {
    store.dispatch(signIn('one'));
    store.dispatch(trackingFollowed('link'));
    expect([socket.connects, live().state]).toEqual([3, 'connecting']);
    store.dispatch(signIn('two'));
    expect(socket.connects).toBe(3);
    store.dispatch(trackingFollowed(null));
    expect(socket.connects).toBe(4);
  });

  it('TRACK2 if the server refuses a connection with a tracking link, the order is refetched, because the link may have been withdrawn', async () => {
    store.dispatch(trackingFollowed('link'));
    store.dispatch(follow(trackedBy('link')));
    socket.happens('connect');
    await vi.waitFor(() => expect(fetched).toBe(1));
    socket.happens('connect_error', new Error('unauthenticated'));
    await vi.waitFor(() => expect(fetched).toBe(2));
    socket.happens('connect_error', new Error('websocket error'));
    await vi.advanceTimersByTimeAsync(100);
    expect(fetched).toBe(2);
  });

  it('LIVE2 the live socket reconnects after the server has closed or refused the connection', async () => {
    socket.happens('connect');
    socket.happens('disconnect', 'io server disconnect');
    await vi.advanceTimersByTimeAsync(3_000);
    expect(socket.connects).toBe(2);
    socket.active = false;
    socket.happens('connect_error', new Error('refused'));
    await vi.advanceTimersByTimeAsync(3_000);
    expect(socket.connects).toBe(3);
  });

  it('LIVE2 if the server refuses several connections in a row, the live socket schedules only one retry', async () => {
    socket.active = false;
    socket.happens('connect_error', new Error('refused'));
    socket.happens('connect_error', new Error('refused'));
    const opens = vi.spyOn(socket, 'connect');
    await vi.advanceTimersByTimeAsync(3_000);
    expect(opens).toHaveBeenCalledTimes(1);
  });

  it('LIVE4 once connected, the live socket cancels its own pending retry and leaves later reconnects to socket.io', async () => {
    socket.active = false;
    socket.happens('connect_error', new Error('refused'));
    store.dispatch(signIn('one'));
    socket.happens('connect');
    await vi.advanceTimersByTimeAsync(3_000);
    // If the page's own retry had run, the page would mistake this disconnection for a failed handshake, close the
    // connection and open another one.
    socket.happens('engine close', 'transport close');
    await vi.advanceTimersByTimeAsync(3_000);
    expect([socket.open, socket.connects]).toEqual([true, 2]);
  });
});

describe('a stopped live socket', () => {
  it('LIVE3 a stopped live socket stays closed when a user signs in', () => {
    socket.happens('connect');
    stop();
    store.dispatch(signIn('one'));
    expect([socket.open, socket.connects]).toEqual([false, 1]);
  });

  it('LIVE2 a stopped live socket does not reconnect', async () => {
    socket.happens('connect');
    socket.happens('disconnect', 'io server disconnect');
    stop();
    await vi.advanceTimersByTimeAsync(3_000);
    expect([socket.open, socket.connects]).toEqual([false, 1]);
  });

  it('LIVE1 a stopped live socket drops a push that was still queued', () => {
    socket.happens('connect');
    socket.happens('view', push);
    stop();
    second();
    expect(received()).toBeUndefined();
  });

  it('LIVE2 a stopped live socket no longer delays fetches', async () => {
    let entered = false;
    const waiting = first.joined().then(() => {
      entered = true;
    });
    stop();
    await vi.advanceTimersByTimeAsync(0);
    expect(entered).toBe(true);
    await waiting;
  });
});
