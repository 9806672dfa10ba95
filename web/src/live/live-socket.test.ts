import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { makeStore } from '../app/store.ts';

import { boardOrders } from '../features/admin-orders/admin-orders.api.ts';
import { trackedBy } from '../features/tracking/tracking.api.ts';
import { signedIn, signedOut } from '../session/session-slice.ts';
import { allReviews } from '../shop/reviews/reviews.api.ts';
import { createFirstConnection, type FirstConnection } from './first-connection.ts';
import { follow } from './follow.ts';
import { selectLive, trackingFollowed } from './live-slice.ts';

import { startLive } from './live-socket.ts';

/** Stands where socket.io's client stands: the test plays the server and the network. */
function fakeSocket() {
  const handlers = new Map<string, (argument: unknown) => void>();
  const socket = {
    active: true,
    connects: 0,
    /** connected, or about to be: to connect it once more does nothing */
    open: false,
    on: (event: string, handler: (argument: unknown) => void) => {
      handlers.set(event, handler);
      return socket;
    },
    connect: () => {
      if (!socket.open) socket.connects += 1;
      socket.open = true;
      return socket;
    },
    disconnect: () => {
      socket.open = false;
      handlers.get('disconnect')?.('io client disconnect');
      return socket;
    },
    happens: (event: string, argument?: unknown) => {
      if (event === 'disconnect' || event === 'connect_error') socket.open = false;
      handlers.get(event)?.(argument);
    },
    connected: false,
    /** what socket.io's connection below it tells */
    io: {
      engine: {
        once: (event: string, handler: (argument: unknown) => void) => handlers.set(`engine ${event}`, handler),
      },
    },
  };
  return socket;
}

const view = {
  _id: 'r1',
  name: 'Case',
  ratings: 5,
  username: 'Rahim',
  description: 'Good',
  postedAt: '2026-01-01T00:00:00.000Z',
  version: 2,
};
const at = { appended: 1_000, projected: 1_005, pushed: 1_010 };
const push = { kind: 'review', id: 'r1', version: 2, view, at };
const signIn = (token: string) => signedIn({ token, email: 'a@micro-center.test', name: 'A', role: 'customer' });

let store: ReturnType<typeof makeStore>;
let socket: ReturnType<typeof fakeSocket>;
let first: FirstConnection;
let stop: () => void;
let fetched: number;
beforeEach(() => {
  vi.useFakeTimers({ now: 1_042, shouldAdvanceTime: true });
  fetched = 0;
  vi.stubGlobal('fetch', async () => {
    fetched += 1;
    return new Response('[]');
  });
  store = makeStore();
  socket = fakeSocket();
  first = createFirstConnection();
  stop = startLive(store, first, () => socket as never);
});
afterEach(() => {
  stop();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});
/** Starts again with a clock of the test's own. */
function restart(now: () => number): void {
  stop();
  stop = startLive(store, first, () => socket as never, now);
}
const live = () => selectLive(store.getState());
/** The version that is known of the pushed review, which nothing follows. */
const received = () => store.getState().views.known.review.recent.get('r1')?.version;
const frame = () => vi.advanceTimersToNextFrame();
/** What nothing follows is taken in within a second. */
const second = () => vi.advanceTimersByTime(1000);

describe('the live socket', () => {
  it('LIVE4 says whether the screen is live through connection, loss, the server word and return', () => {
    expect(live().state).toBe('connecting');
    socket.happens('connect');
    expect(live().state).toBe('live');
    socket.happens('live', { live: false });
    expect(live().state).toBe('not-live');
    socket.happens('live', { live: true });
    expect(live().state).toBe('live');
    socket.happens('disconnect', 'transport close');
    expect(live().state).toBe('not-live');
    socket.happens('connect');
    expect(live().state).toBe('live');
  });

  it('PACK1 keeps who packs which order, and skips what it cannot read', async () => {
    const clock = vi.spyOn(Date, 'now').mockReturnValue(1_000_000);
    const by = { id: 'b', name: 'Nadia' };
    socket.happens('packing', { order: 'o1', by, left: 120_000 });
    socket.happens('packing', { order: 'o1', by: 'Nadia' });
    await vi.waitFor(() => expect(live().packing).toEqual({ o1: { by, until: 1_120_000 } }));
    socket.happens('packing', { order: 'o1', by: null, left: null });
    await vi.waitFor(() => expect(live().packing).toEqual({ o1: { by: null, until: 1_000_000 } }));
    clock.mockRestore();
  });

  it.each([0, 125_000, -125_000])('U10 LIVE4 measures by the server, where the clock here is %i ms ahead', (ahead) => {
    let here = 1_042 + ahead;
    restart(() => here);
    socket.happens('connect');
    socket.happens('view', push);
    second();
    expect(received()).toBe(2);
    expect(live().lagMs).toBe(10);
    // Sent 1,000 ms later and 300 ms longer on its way.
    here += 1_300;
    socket.happens('view', { ...push, at: { appended: 1_990, projected: 2_000, pushed: 2_010 } });
    second();
    expect(live().lagMs).toBe(320);
    // Quicker than every one before it.
    here += 900;
    socket.happens('view', { ...push, at: { appended: 3_200, projected: 3_210, pushed: 3_225 } });
    second();
    expect(live().lagMs).toBe(25);
  });

  it('U10 LIVE4 says at once that a connection was closed before it was made, and tries again', async () => {
    expect(live().state).toBe('connecting');
    socket.happens('engine close', 'transport close');
    expect(live().state).toBe('not-live');
    await vi.advanceTimersByTimeAsync(3_000);
    expect(socket.connects).toBe(2);
    socket.happens('connect');
    socket.happens('engine close', 'transport close');
    expect(live().state).toBe('live');
  });

  it('U10 LIVE4 leaves a connection that is lost after the handshake to socket.io, which is back sooner', async () => {
    socket.connected = true;
    socket.happens('connect');
    socket.connected = false;
    socket.happens('disconnect', 'transport close');
    socket.happens('engine close', 'transport close');
    expect(live().state).toBe('not-live');
    await vi.advanceTimersByTimeAsync(3_000);
    expect(socket.connects).toBe(1);
  });

  it.each([
    [
      'after a loss',
      () => {
        second();
        socket.happens('disconnect', 'transport close');
      },
    ],
    ['for someone else, while a push is queued', () => void store.dispatch(signIn('two'))],
  ])('U10 LIVE4 measures a connection that is made %s by its own pushes alone', (_, ends) => {
    let here = 1_010;
    restart(() => here);
    socket.happens('connect');
    socket.happens('view', push);
    ends();
    socket.happens('connect');
    // On its way for 300 ms longer than the push of the connection before.
    here += 300;
    socket.happens('view', { ...push, version: 3 });
    second();
    expect(live().lagMs).toBe(10);
  });

  it('LIVE4 drops a push that it cannot read and no longer claims to be live', () => {
    socket.happens('connect');
    socket.happens('view', { ...push, view: { _id: 'r1' } });
    frame();
    expect(received()).toBeUndefined();
    expect(live().state).toBe('not-live');
  });

  it('LIVE2 fetches again on each later connection and on resync, and on nothing else', async () => {
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

  it('U3 LIVE2 a reconnect brings the orders up to date though the reviews hang', async () => {
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

  it('connects anew in the name of whoever signs in, renews a session or signs out', () => {
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

  it('T40 LIVE3 drops what is still queued for one person when another one signs in', () => {
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

  it('TRACK4 is the connection of a tracking link while that is open, whoever signs in meanwhile', () => {
    store.dispatch(signIn('one'));
    store.dispatch(trackingFollowed('link'));
    expect([socket.connects, live().state]).toEqual([3, 'connecting']);
    store.dispatch(signIn('two'));
    expect(socket.connects).toBe(3);
    store.dispatch(trackingFollowed(null));
    expect(socket.connects).toBe(4);
  });

  it('TRACK2 asks the API again where a tracking link is refused, which may have ended unseen', async () => {
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

  it('LIVE2 comes back where the server ended or refused the connection', async () => {
    socket.happens('connect');
    socket.happens('disconnect', 'io server disconnect');
    await vi.advanceTimersByTimeAsync(3_000);
    expect(socket.connects).toBe(2);
    socket.active = false;
    socket.happens('connect_error', new Error('refused'));
    await vi.advanceTimersByTimeAsync(3_000);
    expect(socket.connects).toBe(3);
  });

  it('LIVE2 comes back once where it was refused several times in a row', async () => {
    socket.active = false;
    socket.happens('connect_error', new Error('refused'));
    socket.happens('connect_error', new Error('refused'));
    const opens = vi.spyOn(socket, 'connect');
    await vi.advanceTimersByTimeAsync(3_000);
    expect(opens).toHaveBeenCalledTimes(1);
  });

  it('U10 LIVE4 a connection that was made before its time to come back is left to socket.io when it is lost', async () => {
    socket.active = false;
    socket.happens('connect_error', new Error('refused'));
    store.dispatch(signIn('one'));
    socket.happens('connect');
    await vi.advanceTimersByTimeAsync(3_000);
    // Its own retry would close this connection and open another one.
    socket.happens('engine close', 'transport close');
    await vi.advanceTimersByTimeAsync(3_000);
    expect([socket.open, socket.connects]).toEqual([true, 2]);
  });
});

describe('the live socket once it is stopped', () => {
  it('LIVE3 stays closed when somebody signs in', () => {
    socket.happens('connect');
    stop();
    store.dispatch(signIn('one'));
    expect([socket.open, socket.connects]).toEqual([false, 1]);
  });

  it('LIVE2 does not come back', async () => {
    socket.happens('connect');
    socket.happens('disconnect', 'io server disconnect');
    stop();
    await vi.advanceTimersByTimeAsync(3_000);
    expect([socket.open, socket.connects]).toEqual([false, 1]);
  });

  it('LIVE1 takes in no push that was still queued', () => {
    socket.happens('connect');
    socket.happens('view', push);
    stop();
    second();
    expect(received()).toBeUndefined();
  });

  it('LIVE2 holds no fetch up', async () => {
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

describe('the gate before the first connection', () => {
  // The gate's time limit is short. On a fake clock a busy machine can't reach it by accident.
  beforeEach(() => void vi.useFakeTimers());

  it('LIVE2 lets fetches wait for the rooms, and says that none started early', async () => {
    const gate = createFirstConnection();
    gate.close();
    let entered = false;
    const waiting = gate.joined().then(() => {
      entered = true;
    });
    await vi.advanceTimersByTimeAsync(399);
    expect(entered).toBe(false);
    expect(gate.open()).toBe(false);
    await waiting;
    expect(entered).toBe(true);
    await gate.joined();
  });

  it('LIVE2 lets fetches go when it takes too long, and says that they may have missed a push', async () => {
    const gate = createFirstConnection();
    gate.close();
    const waiting = gate.joined();
    await vi.advanceTimersByTimeAsync(400);
    await waiting;
    expect(gate.open()).toBe(true);
    // What may have been missed is fetched once.
    expect(gate.open()).toBe(false);
  });

  it('LIVE2 counts no fetch as early that waited for the rooms, however long ago they were joined', async () => {
    const gate = createFirstConnection();
    gate.close();
    const waiting = gate.joined();
    gate.open();
    await waiting;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(gate.open()).toBe(false);
  });
});
