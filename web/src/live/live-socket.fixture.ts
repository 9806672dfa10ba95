import { afterEach, beforeEach, vi } from 'vitest';
import { makeStore } from '../app/store.ts';
import { signedIn } from '../session/session-slice.ts';
import { createFirstConnection, type FirstConnection } from './first-connection.ts';
import { selectLive } from './live-slice.ts';
import { startLive } from './live-socket.ts';
import { BROWSER_SOCKET_PAGE } from './socket-page.ts';

/** A fake socket.io client. The test simulates the server and the network. */
function fakeSocket() {
  const handlers = new Map<string, (argument: unknown) => void>();
  const socket = {
    active: true,
    connects: 0,
    /** whether the socket is connected or connecting, in which case `connect` does nothing */
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
    /** a fake of socket.io's underlying connection */
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
export const push = { kind: 'review', id: 'r1', version: 2, view, at };
export const signIn = (token: string) => signedIn({ token, email: 'a@micro-center.test', name: 'A', role: 'customer' });

// These variables are reassigned before each test.
export let store: ReturnType<typeof makeStore>;
export let socket: ReturnType<typeof fakeSocket>;
export let first: FirstConnection;
export let stop: () => void;
export let fetched: number;

/** Opens a new page before each test in the file. The test controls the page's socket. */
export function openPages(): void {
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
}

/** Restarts the live socket with the test's own clock. */
export function restart(now: () => number): void {
  stop();
  stop = startLive(store, first, () => socket as never, { ...BROWSER_SOCKET_PAGE, now });
}
export const live = () => selectLive(store.getState());
/** Returns the version of the last push of the review `r1`. No followed resource contains this review. */
export const received = () => store.getState().views.known.review.pushes.get('r1')?.version;
export const frame = () => vi.advanceTimersToNextFrame();
/** Advances the clock by one second. Pushes that affect no followed resource are applied once a second. */
export const second = () => vi.advanceTimersByTime(1000);
