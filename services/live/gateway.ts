import type { Server as HttpServer, IncomingMessage } from 'node:http';
import { Server } from 'socket.io';
import { type ClientToServerEvents, handshakeSchema, type ServerToClientEvents } from '../contracts/pushes.ts';
import type { Broadcast, PushMessage } from '../engine/projector/broadcast.ts';
import type { Clock } from '../runtime/clock.ts';
import { namesThisShop } from '../runtime/own-host.ts';
import { cutTalkers } from './cut-talkers.ts';
import { type LiveSocket, roomsOf, type SocketCaller, type SocketData } from './rooms.ts';
import { createSocketRoles } from './socket-roles.ts';

export interface GatewaySettings {
  readonly server: HttpServer;
  readonly broadcast: Broadcast;
  /** the caller that an access token stands for, with the role of this moment; null where it is refused */
  readonly authenticate: (token: string) => Promise<SocketCaller | null>;
  readonly clock: Clock;
  /** how browsers reach the shop, as PUBLIC_ORIGIN says (AUTH7) */
  readonly publicOrigin?: string | null;
  /** whether one more connection is let in; absent: each is (RATE1) */
  readonly admits?: (request: IncomingMessage) => Promise<boolean>;
  /** told of refused handshakes and of clients that were cut, never with the token */
  readonly onRefused?: (reason: string) => void;
  /** told of roles that cannot be read: their sockets stay as they are until they can */
  readonly onUnread?: (error: unknown) => void;
  /** how often roles are read again, in ms, and how soon after one could not be read (LIVE3) */
  readonly roleCheckMs?: number;
  readonly roleRetryMs?: number;
  /** the longest wait before a recovered socket is told that it is live and to fetch again, in ms (LIVE5) */
  readonly resyncJitterMs?: number;
}

export interface LiveGateway {
  sockets(): number;
  live(): boolean;
  /** Cuts every connection; clients come back by themselves (used before the process ends, and by tests). */
  disconnectAll(): void;
  close(): Promise<void>;
}

const MAX_TIMER_MS = 2 ** 31 - 1;

/** Pushes each changed document to the browsers that may see it. A socket joins its rooms before it is connected (LIVE2). */
export async function createLiveGateway(settings: GatewaySettings): Promise<LiveGateway> {
  const { broadcast, clock, roleCheckMs = 25_000, roleRetryMs = 2_000, resyncJitterMs = 2_000 } = settings;
  const { admits = async () => true } = settings;
  const io = new Server<ClientToServerEvents, ServerToClientEvents, Record<string, never>, SocketData>(
    settings.server,
    {
      transports: ['websocket'],
      serveClient: false,
      // Other upgrades are answered by the HTTP server.
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
  cutTalkers(io, clock, (reason) => settings.onRefused?.(reason));
  const roles = createSocketRoles({ ...settings, retryMs: roleRetryMs });
  /** sockets that are being let in, each with the users who were pushed meanwhile: it is in no room of theirs yet */
  const entering = new Map<LiveSocket, Set<string>>();
  let live = false;
  const recovering = new Set<LiveSocket>();

  /** @throws HandshakeRefused */
  async function admit(socket: LiveSocket): Promise<void> {
    const pushed = new Set<string>();
    entering.set(socket, pushed);
    socket.conn.once('close', () => entering.delete(socket));
    const handshake = handshakeSchema.safeParse(socket.handshake.auth);
    if (!handshake.success) throw new HandshakeRefused('malformed');
    const { token = null } = handshake.data;
    const caller = token === null ? null : await settings.authenticate(token);
    if (token !== null && caller === null) throw new HandshakeRefused('unauthenticated');
    socket.data = { token, reads: 0 };
    await socket.join(roomsOf(caller));
    if (caller === null) return;
    // A socket lives no longer than its token: the client comes back with a fresh one.
    const expiry = setTimeout(() => socket.disconnect(true), Math.min(caller.expiresAt - clock(), MAX_TIMER_MS));
    socket.conn.once('close', () => clearTimeout(expiry));
  }

  io.use((socket, next) => {
    admit(socket).then(
      () => next(),
      (error: unknown) => {
        const reason = error instanceof HandshakeRefused ? error.message : 'unavailable';
        entering.delete(socket);
        settings.onRefused?.(reason);
        next(new Error(reason));
      },
    );
  });

  io.on('connection', (socket) => {
    socket.emit('live', { live });
    // A role that ended since it was read was pushed to the sockets that were connected by then: not to this one.
    const pushed = [...(entering.get(socket) ?? [])];
    entering.delete(socket);
    if (pushed.some((userId) => socket.rooms.has(`user:${userId}`))) void roles.readAgain([socket]);
  });

  function deliver({ push, audiences }: PushMessage): void {
    if (push.kind === 'user') {
      for (const pushed of entering.values()) pushed.add(push.id);
      void roles.readAgain(socketsOfUser(io, push.id));
    }
    io.to([...audiences]).emit('view', { ...push, at: { ...push.at, pushed: clock() } });
  }

  function setLive(now: boolean): void {
    if (now === live) return;
    live = now;
    if (!live) io.emit('live', { live });
    else for (const socket of io.sockets.sockets.values()) recover(socket);
  }

  /** Until it fetches a socket lacks what was missed, so it is live no sooner. One resync serves every gap before it. */
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

  const unsubscribe = await broadcast.subscribe({ message: deliver, live: setLive });
  let checking = false;
  async function checkRoles(): Promise<void> {
    if (checking) return;
    checking = true;
    await roles.readAgain(io.sockets.sockets.values()).finally(() => {
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
      roles.close();
      unsubscribe();
      io.disconnectSockets(true);
      // The HTTP server belongs to the composition, which closes it: only the socket engine ends here.
      io.engine.close();
    },
  };
}

class HandshakeRefused extends Error {}

function socketsOfUser(io: Server, userId: string): LiveSocket[] {
  const ids = io.sockets.adapter.rooms.get(`user:${userId}`) ?? new Set<string>();
  return [...ids].flatMap((id) => (io.sockets.sockets.get(id) as LiveSocket | undefined) ?? []);
}
