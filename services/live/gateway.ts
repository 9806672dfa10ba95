import type { Server as HttpServer, IncomingMessage } from 'node:http';
import { Server } from 'socket.io';
import type { PackingPush } from '../contracts/packing.ts';
import type { Audience } from '../contracts/projection.ts';
import {
  type ClientToServerEvents,
  type DocumentPush,
  type Handshake,
  handshakeSchema,
  type ServerToClientEvents,
  type ViewPush,
} from '../contracts/pushes.ts';
import type { Broadcast, PushMessage } from '../engine/projector/broadcast.ts';
import type { Clock } from '../runtime/clock.ts';
import { namesThisShop } from '../runtime/own-host.ts';
import { pacePushes } from './pace-pushes.ts';
import { limitPackets } from './packet-limit.ts';
import {
  type LiveSocket,
  type Pass,
  passOfCaller,
  passOfTracked,
  type Room,
  type SocketCaller,
  type SocketData,
  type TrackedOrder,
  trackingRoom,
  VISITOR,
} from './rooms.ts';
import { boundSendBuffers } from './send-buffers.ts';
import { sendViews, socketsIn } from './send-views.ts';
import { createSocketPasses } from './socket-passes.ts';

export interface GatewaySettings {
  readonly server: HttpServer;
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
  /** PUBLIC_ORIGIN (AUTH7) */
  readonly publicOrigin?: string | null;
  /** returns whether another connection is allowed (RATE1) */
  readonly admits?: (request: IncomingMessage) => Promise<boolean>;
  /** called when a handshake is refused or the gateway drops a client; `reason` never contains the token */
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
  const { admits = async () => true } = settings;
  const io = new Server<ClientToServerEvents, ServerToClientEvents, Record<string, never>, SocketData>(
    settings.server,
    {
      transports: ['websocket'],
      serveClient: false,
      // Leaves upgrade requests for other paths to the HTTP server.
      destroyUpgrade: false,
      maxHttpBufferSize: 16_384,
      allowRequest(request, answer) {
        if (!namesThisShop(request, settings.publicOrigin ?? null)) return answer('wrong_host', false);
        admits(request).then(
          (allowed) => answer(allowed ? null : 'too_many_requests', allowed),
          () => answer('unavailable', false),
        );
      },
    },
  );
  limitPackets(io, clock, (reason) => settings.onRefused?.(reason));
  boundSendBuffers(io, () => settings.onRefused?.('too_slow'));
  const passes = createSocketPasses({ ...settings, passOf, retryMs: roleRetryMs });
  /**
   * for each socket whose handshake is in progress, the rooms that have needed a refresh since the handshake began
   * (roomToRefresh)
   */
  const connecting = new Map<LiveSocket, Set<Room>>();
  let live = false;
  const recovering = new Set<LiveSocket>();

  async function passOf({ token, tracking }: Handshake): Promise<Pass | null> {
    if (tracking !== undefined) {
      const tracked = await settings.track(tracking);
      return tracked && passOfTracked(tracked);
    }
    const caller = token === undefined ? null : await settings.authenticate(token);
    return token === undefined ? VISITOR : caller && passOfCaller(caller);
  }

  /** @throws HandshakeRefused */
  async function admit(socket: LiveSocket): Promise<void> {
    const pushed = new Set<Room>();
    connecting.set(socket, pushed);
    socket.conn.once('close', () => connecting.delete(socket));
    const handshake = handshakeSchema.safeParse(socket.handshake.auth);
    if (!handshake.success) throw new HandshakeRefused('malformed');
    const pass = await passOf(handshake.data);
    if (pass === null) throw new HandshakeRefused('unauthenticated');
    const { tracking } = pass;
    const tracked = tracking ? { id: tracking._id, version: tracking.version } : null;
    socket.data = { handshake: handshake.data, reads: 0, tracked };
    await socket.join([...pass.rooms]);
    if (pass === VISITOR) return;
    const expiry = setTimeout(() => socket.disconnect(true), Math.min(pass.expiresAt - clock(), MAX_TIMER_MS));
    socket.conn.once('close', () => clearTimeout(expiry));
  }

  io.use((socket, next) => {
    admit(socket).then(
      () => next(),
      (error: unknown) => {
        const reason = error instanceof HandshakeRefused ? error.message : 'unavailable';
        settings.onRefused?.(reason);
        next(new Error(reason));
      },
    );
  });

  io.on('connection', (socket) => {
    socket.emit('live', { live });
    // A change during the handshake is pushed only to sockets that are already connected, so this socket may have
    // missed it.
    const pushed = [...(connecting.get(socket) ?? [])];
    connecting.delete(socket);
    if (pushed.some((room) => socket.rooms.has(room))) void passes.refresh([socket]);
  });

  function deliver(messages: readonly PushMessage[]): void {
    const pushed = clock();
    const byAudiences = new Map<string, { audiences: readonly Audience[]; pushes: ViewPush[] }>();
    for (const { push, audiences } of messages) {
      const room = roomToRefresh(push);
      if (room !== null) {
        for (const rooms of connecting.values()) rooms.add(room);
        void passes.refresh(socketsIn(io, room), push.at);
      }
      const name = audiences.join();
      const group = byAudiences.get(name) ?? { audiences, pushes: [] };
      group.pushes.push({ ...push, at: { ...push.at, pushed } });
      byAudiences.set(name, group);
    }
    for (const { audiences, pushes } of byAudiences.values()) sendViews(io, audiences, pushes);
  }

  function setLive(now: boolean): void {
    if (now === live) return;
    live = now;
    if (!live) io.emit('live', { live });
    else for (const socket of io.sockets.sockets.values()) recover(socket);
  }

  /**
   * Tells a socket's client that pushes are live again, and that it has to refetch its data because it may have missed
   * changes. One message is enough, even after several outages.
   */
  function recover(socket: LiveSocket): void {
    if (recovering.has(socket)) return;
    recovering.add(socket);
    const tell = () => {
      recovering.delete(socket);
      if (!live) return;
      socket.emit('live', { live });
      socket.emit('resync', { reason: 'recovered' });
    };
    setTimeout(tell, Math.random() * resyncJitterMs).unref();
  }

  const pace = pacePushes(deliver);
  const unsubscribe = await broadcast.subscribe({ message: pace.push, live: setLive });
  const endPacking = settings.packing?.((push) => {
    const others = push.by === null ? io.to('admins') : io.to('admins').except(`user:${push.by.id}`);
    others.emit('packing', push);
  });
  let checking = false;
  async function checkRoles(): Promise<void> {
    if (checking) return;
    checking = true;
    await passes.refresh(io.sockets.sockets.values()).finally(() => {
      checking = false;
    });
  }
  const roleCheck = setInterval(checkRoles, roleCheckMs).unref();

  return {
    sockets: () => io.sockets.sockets.size,
    live: () => live,
    disconnectAll: () => io.disconnectSockets(true),
    async close() {
      clearInterval(roleCheck);
      passes.close();
      unsubscribe();
      pace.close();
      endPacking?.();
      io.disconnectSockets(true);
      // The HTTP server is left open for its owner to close.
      io.engine.close();
    },
  };
}

class HandshakeRefused extends Error {}

/**
 * Returns the room whose sockets have to be refreshed after this push, or null if there is none. A push about a user
 * may mean that the user's role has changed. A push about an order may mean that the order's tracking view has changed.
 * The gateway doesn't broadcast tracking views. Instead, it rereads the order for each tracking token in use. Each push
 * therefore remains a single message. If nobody tracks the order, the only cost is looking up the room (TRACK4).
 */
function roomToRefresh({ kind, id }: DocumentPush): Room | null {
  if (kind === 'order') return trackingRoom(id);
  return kind === 'user' ? `user:${id}` : null;
}
