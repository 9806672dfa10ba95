import {
  type ClientToServerEvents,
  type Handshake,
  liveStateSchema,
  resyncSchema,
  type ServerToClientEvents,
  viewPushSchema,
} from '@micro-center/services/contracts/pushes.ts';
import { io, type Socket } from 'socket.io-client';
import { type FirstConnection, firstConnection } from './first-connection.ts';
import { isFollowed, type LiveDispatch, type LiveRoot, refetchLive, takePushes } from './follow.ts';
import { type Arrival, connectionStarted, packingChanged, pushesArrived, wentLive, wentStale } from './live-slice.ts';
import { createPushQueue } from './push-queue.ts';
import { BROWSER_SOCKET_PAGE, type SocketPage } from './socket-page.ts';

/** How long a handshake may take before it is retried, in milliseconds. */
const HANDSHAKE_TIMEOUT = 5_000;
/**
 * The average delay before reconnecting after the server has refused or closed the connection, in milliseconds. In
 * these cases, socket.io doesn't reconnect on its own.
 */
const COME_BACK_AFTER = 2_000;

export interface LiveStore {
  getState(): LiveRoot & { session: { token: string | null }; live: { tracking: string | null } };
  dispatch: LiveDispatch;
  subscribe(listener: () => void): () => void;
}

/** The part of a socket.io client that the live layer uses. A simulation provides its own. */
export type LiveClient = Pick<
  Socket<ServerToClientEvents, ClientToServerEvents>,
  'on' | 'connect' | 'disconnect' | 'active'
> & { io: { engine: { once(event: 'close', listener: (reason: string) => void): void } } };

/**
 * Returns the credentials for the handshake. A tracking link takes precedence over the signed-in user, because the
 * tracking page shows the order that the link gives access to.
 */
export function handshakeOf({ session: { token }, live: { tracking } }: ReturnType<LiveStore['getState']>): Handshake {
  if (tracking !== null) return { tracking };
  return token === null ? {} : { token };
}

const credentialOf = (handshake: Handshake) => handshake.tracking ?? handshake.token;

function connectTo(store: LiveStore): LiveClient {
  return io(window.location.origin, {
    path: '/socket.io',
    transports: ['websocket'],
    autoConnect: false,
    timeout: HANDSHAKE_TIMEOUT,
    reconnectionDelay: 500,
    reconnectionDelayMax: 5_000,
    auth: (give) => give(handshakeOf(store.getState())),
  });
}

/**
 * Opens the app's only socket and passes its pushes to the store, at most once per frame. The socket authenticates with
 * the open tracking link or, if no link is open, with the access token of the signed-in user. After each reconnection
 * and each `resync` message, refetches every resource on the screen, since pushes may have been missed (LIVE2). Call
 * this only once. Returns a function that closes the socket permanently.
 */
export function startLive(
  store: LiveStore,
  first: FirstConnection = firstConnection,
  connect: (store: LiveStore) => LiveClient = connectTo,
  page: SocketPage = BROWSER_SOCKET_PAGE,
): () => void {
  const socket = connect(store);
  let credential = credentialOf(handshakeOf(store.getState()));
  let connectedBefore = false;
  let shakingHands = false;
  let cancelReturn = () => {};

  let arrivals: Arrival[] = [];
  const queue = createPushQueue(
    (pushes) => {
      store.dispatch(pushesArrived(arrivals));
      arrivals = [];
      store.dispatch(takePushes(pushes));
    },
    (push) => isFollowed(store.getState().views, push),
    page,
  );
  /**
   * Refetches every resource. The pushes that have arrived are applied first. Otherwise, they would count as newer than
   * the responses, and an old push could bring back a document whose removal was missed.
   */
  const catchUp = () => {
    queue.flush();
    store.dispatch(refetchLive());
  };
  const open = () => {
    shakingHands = true;
    socket.connect();
    // If a connection is accepted but then closed before the handshake is complete, socket.io doesn't report this until
    // the handshake times out. If the connection closes later, this handler does nothing, because socket.io reconnects
    // on its own, sooner than `returnLater` would.
    socket.io.engine.once('close', (reason) => {
      if (!shakingHands || reason !== 'transport close') return;
      socket.disconnect();
      store.dispatch(wentStale());
      returnLater();
    });
  };
  const returnLater = () => {
    cancelReturn();
    cancelReturn = page.schedule(COME_BACK_AFTER * (0.5 + page.random()), open);
  };

  socket.on('connect', () => {
    cancelReturn();
    shakingHands = false;
    store.dispatch(wentLive());
    const missedSome = first.open();
    if (connectedBefore || missedSome) catchUp();
    connectedBefore = true;
  });
  socket.on('disconnect', (reason) => {
    if (reason === 'io client disconnect') return;
    store.dispatch(wentStale());
    if (reason === 'io server disconnect') returnLater();
  });
  socket.on('connect_error', ({ message }) => {
    store.dispatch(wentStale());
    // The tracking link may no longer be valid. A disconnected page can't receive a push about that, so refetch the
    // page's resources from the API.
    if (message === 'unauthenticated' && store.getState().live.tracking !== null) catchUp();
    if (!socket.active) returnLater();
  });
  socket.on('view', (raw) => {
    const push = viewPushSchema.safeParse(raw);
    // If the page can't parse a push, it can't show the change, so it no longer counts as live.
    if (!push.success) {
      store.dispatch(wentStale());
      return;
    }
    arrivals.push({ ...push.data.at, now: page.now() });
    queue.add(push.data);
  });
  socket.on('packing', async (raw) => {
    // Only admins get `packing` pushes. Their schema is loaded on demand, so shoppers' pages never load it.
    const { packingPushSchema } = await import('@micro-center/services/contracts/packing/packing.ts');
    const push = packingPushSchema.safeParse(raw);
    if (push.success) store.dispatch(packingChanged(push.data));
  });
  socket.on('resync', (raw) => {
    if (resyncSchema.safeParse(raw).success) catchUp();
  });
  socket.on('live', (raw) => {
    const state = liveStateSchema.safeParse(raw);
    if (state.success) store.dispatch(state.data.live ? wentLive() : wentStale());
  });

  const unsubscribe = store.subscribe(() => {
    const current = credentialOf(handshakeOf(store.getState()));
    if (current === credential) return;
    credential = current;
    queue.clear();
    arrivals = [];
    store.dispatch(connectionStarted());
    socket.disconnect();
    open();
  });

  first.close();
  open();
  return () => {
    unsubscribe();
    cancelReturn();
    queue.close();
    first.open();
    socket.disconnect();
  };
}
