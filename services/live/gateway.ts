import type { Server as HttpServer } from 'node:http';
import { Server } from 'socket.io';
import { type ClientToServerEvents, handshakeSchema, type ServerToClientEvents } from '../contracts/pushes.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Broadcast, PushMessage } from './broadcast.ts';
import { type LiveSocket, moveToRooms, roomsOf, type SocketCaller, type SocketData } from './rooms.ts';

export interface GatewaySettings {
  readonly server: HttpServer;
  readonly broadcast: Broadcast;
  /** the caller that an access token stands for, with the role of this moment; null where it is refused */
  readonly authenticate: (token: string) => Promise<SocketCaller | null>;
  readonly clock: Clock;
  /** told of refused handshakes, never with the token */
  readonly onRefused?: (reason: string) => void;
  /** how often roles are read again, in ms (LIVE3) */
  readonly roleCheckMs?: number;
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
  const { broadcast, clock, roleCheckMs = 60_000, resyncJitterMs = 2_000 } = settings;
  const io = new Server<ClientToServerEvents, ServerToClientEvents, Record<string, never>, SocketData>(
    settings.server,
    {
      transports: ['websocket'],
      serveClient: false,
      maxHttpBufferSize: 16_384,
    },
  );
  let live = false;
  const recovering = new Set<LiveSocket>();

  /** @throws HandshakeRefused */
  async function admit(socket: LiveSocket): Promise<void> {
    const handshake = handshakeSchema.safeParse(socket.handshake.auth);
    if (!handshake.success) throw new HandshakeRefused('malformed');
    const { token = null } = handshake.data;
    const caller = token === null ? null : await settings.authenticate(token);
    if (token !== null && caller === null) throw new HandshakeRefused('unauthenticated');
    socket.data.token = token;
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
        settings.onRefused?.(reason);
        next(new Error(reason));
      },
    );
  });

  io.on('connection', (socket) => {
    socket.emit('live', { live });
    // A role that ended since it was read was pushed to the sockets that were connected by then: not to this one.
    void readRolesAgain([socket]);
  });

  async function readRolesAgain(sockets: Iterable<LiveSocket>): Promise<void> {
    for (const socket of sockets) {
      const { token } = socket.data;
      if (token === null) continue;
      try {
        const caller = await settings.authenticate(token);
        if (caller === null) socket.disconnect(true);
        else if (await moveToRooms(socket, roomsOf(caller))) socket.emit('resync', { reason: 'roles_changed' });
      } catch {
        // The role could not be read: the socket is cut, since it may see more than it should.
        socket.disconnect(true);
      }
    }
  }

  function deliver({ push, audiences }: PushMessage): void {
    if (push.kind === 'user') void readRolesAgain(socketsOfUser(io, push.id));
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
  const roleCheck = setInterval(() => void readRolesAgain(io.sockets.sockets.values()), roleCheckMs);
  roleCheck.unref();

  return {
    sockets: () => io.sockets.sockets.size,
    live: () => live,
    disconnectAll: () => io.disconnectSockets(true),
    async close() {
      clearInterval(roleCheck);
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
