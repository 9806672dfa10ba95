import type { PackingPush } from '../contracts/packing/packing.ts';
import { type DocumentPush, type Handshake, handshakeSchema, type ViewPush } from '../contracts/pushes.ts';
import type { Broadcast, PushMessage } from '../engine/projector/broadcast.ts';
import type { Audience } from '../engine/projector/projection.ts';
import type { Clock } from '../runtime/clock.ts';
import { type Every, everyInterval, SYSTEM_TIMING, type Timing } from '../runtime/schedule.ts';
import type { LiveSocket, LiveTransport, Room, TransportListener } from './live-transport.ts';
import { pacePushes } from './pace-pushes.ts';
import {
  type Pass,
  passOfCaller,
  passOfTracked,
  type SocketCaller,
  type TrackedOrder,
  trackingRoom,
  VISITOR,
} from './rooms.ts';
import { createSocketPasses } from './socket-passes.ts';

export interface GatewaySettings {
  /** opens the transport, which then calls `listener` (`createSocketIoTransport`) */
  readonly openTransport: (listener: TransportListener) => LiveTransport;
  readonly broadcast: Pick<Broadcast, 'subscribe'>;
  /**
   * subscribes a listener that is called when an admin starts or stops packing an order; returns a function that
   * removes the subscription
   */
  readonly packing?: (listener: (push: PackingPush) => void) => () => void;
  /** returns the user that an access token belongs to and the user's current role, or null if the token isn't valid */
  readonly authenticate: (token: string) => Promise<SocketCaller | null>;
  /** returns the order that a tracking token currently shows, or null if the token isn't valid */
  readonly track: (token: string) => Promise<TrackedOrder | null>;
  readonly clock: Clock;
  readonly timing?: Timing;
  readonly every?: Every;
  /** called when a handshake is refused or a client is dropped; `reason` never contains the token */
  readonly onRefused?: (reason: string) => void;
  /** called when roles or tracking links can't be read; the affected sockets stay in their rooms (LIVE3) */
  readonly onUnread?: (error: unknown) => void;
  /** the interval at which roles and tracking links are reread, and the retry delay after a failure, both in ms (LIVE3) */
  readonly roleCheckMs?: number;
  readonly roleRetryMs?: number;
  /**
   * the maximum random delay, in ms, before a socket is told that pushes are live again and that it has to refetch its
   * data (LIVE5)
   */
  readonly resyncJitterMs?: number;
}

export interface LiveGateway {
  sockets(): number;
  live(): boolean;
  /** Disconnects all clients. They reconnect on their own. */
  disconnectAll(): void;
  close(): Promise<void>;
}

const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Pushes each changed document to the browsers that are allowed to see it. A socket joins its rooms before its
 * handshake completes (LIVE2).
 */
export async function createLiveGateway(settings: GatewaySettings): Promise<LiveGateway> {
  const { broadcast, clock, roleCheckMs = 25_000, roleRetryMs = 2_000, resyncJitterMs = 2_000 } = settings;
  const { timing: { schedule, random } = SYSTEM_TIMING, every = everyInterval } = settings;
  const transport = settings.openTransport({ admit, connected, dropped: (reason) => settings.onRefused?.(reason) });
  const passes = createSocketPasses({ ...settings, passOf, schedule, retryMs: roleRetryMs });
  /**
   * for each socket whose handshake is in progress, the rooms that have needed a refresh since the handshake began
   * (roomToRefresh)
   */
  const connecting = new Map<LiveSocket, Set<Room>>();
  let live = false;
  /** for each socket that will soon be told to refetch, a function that cancels its timer */
  const recovering = new Map<LiveSocket, () => void>();

  async function passOf({ token, tracking }: Handshake): Promise<Pass | null> {
    if (tracking !== undefined) {
      const tracked = await settings.track(tracking);
      return tracked && passOfTracked(tracked);
    }
    const caller = token === undefined ? null : await settings.authenticate(token);
    return token === undefined ? VISITOR : caller && passOfCaller(caller);
  }

  async function admit(socket: LiveSocket): Promise<string | null> {
    const refusal = await joinRooms(socket).catch(() => 'unavailable');
    if (refusal !== null) settings.onRefused?.(refusal);
    return refusal;
  }

  /** Returns null if the socket has joined its rooms. Otherwise returns why its handshake is refused. */
  async function joinRooms(socket: LiveSocket): Promise<string | null> {
    connecting.set(socket, new Set());
    socket.onClosed(() => connecting.delete(socket));
    const handshake = handshakeSchema.safeParse(socket.auth);
    if (!handshake.success) return 'malformed';
    const pass = await passOf(handshake.data);
    if (pass === null) return 'unauthenticated';
    const { tracking } = pass;
    const tracked = tracking ? { id: tracking._id, version: tracking.version } : null;
    socket.data = { handshake: handshake.data, reads: 0, tracked };
    socket.join(pass.rooms);
    if (pass !== VISITOR) socket.onClosed(schedule(Math.min(pass.endsAt - clock(), MAX_TIMER_MS), socket.disconnect));
    return null;
  }

  function connected(socket: LiveSocket): void {
    socket.emit('live', { live });
    // A change during the handshake is pushed only to sockets that are already connected, so this socket may have
    // missed it.
    const pushed = connecting.get(socket);
    connecting.delete(socket);
    if (socket.rooms().some((room) => pushed?.has(room))) void passes.refresh([socket]);
  }

  function deliver(messages: readonly PushMessage[]): void {
    const pushed = clock();
    const byAudiences = new Map<string, { audiences: readonly Audience[]; pushes: ViewPush[] }>();
    for (const { push, audiences } of messages) {
      const room = roomToRefresh(push);
      if (room !== null) {
        for (const rooms of connecting.values()) rooms.add(room);
        void passes.refresh(transport.socketsIn(room), push.at);
      }
      const name = audiences.join();
      const group = byAudiences.get(name) ?? { audiences, pushes: [] };
      group.pushes.push({ ...push, at: { ...push.at, pushed } });
      byAudiences.set(name, group);
    }
    for (const { audiences, pushes } of byAudiences.values()) transport.sendViews(audiences, pushes);
  }

  function setLive(now: boolean): void {
    if (now === live) return;
    live = now;
    if (!live) transport.sendLive({ live });
    else for (const socket of transport.sockets()) recover(socket);
  }

  /**
   * Tells a socket's client that pushes are live again, and that it has to refetch its data because it may have missed
   * changes. One message is enough, even after several outages.
   */
  function recover(socket: LiveSocket): void {
    if (recovering.has(socket)) return;
    const tell = () => {
      recovering.delete(socket);
      if (!live) return;
      socket.emit('live', { live });
      socket.emit('resync', { reason: 'recovered' });
    };
    recovering.set(socket, schedule(random() * resyncJitterMs, tell));
  }

  const pace = pacePushes(deliver, schedule);
  const unsubscribe = await broadcast.subscribe({ message: pace.push, live: setLive });
  const endPacking = settings.packing?.((push) => {
    transport.sendPacking(push, 'admins', push.by && `user:${push.by.id}`);
  });
  let checking = false;
  async function checkRoles(): Promise<void> {
    if (checking) return;
    checking = true;
    await passes.refresh(transport.sockets()).finally(() => {
      checking = false;
    });
  }
  const endRoleChecks = every(roleCheckMs, checkRoles);

  return {
    sockets: () => transport.sockets().length,
    live: () => live,
    disconnectAll: transport.disconnectAll,
    async close() {
      endRoleChecks();
      for (const cancel of recovering.values()) cancel();
      passes.close();
      unsubscribe();
      pace.close();
      endPacking?.();
      transport.close();
    },
  };
}

/**
 * Returns the room whose sockets must be refreshed after this push, or null if there is none. After a push about a
 * user, the user's role may have changed. After a push about an order, the order's tracking view may have changed.
 * Tracking views aren't broadcast, so a push is always a single message. Instead, the gateway rereads the order for
 * each tracking token in use. If nobody tracks the order, the only cost is looking up the room (TRACK4).
 */
function roomToRefresh({ kind, id }: DocumentPush): Room | null {
  if (kind === 'order') return trackingRoom(id);
  return kind === 'user' ? `user:${id}` : null;
}
