import type { Server as HttpServer, IncomingMessage } from 'node:http';
import { Server } from 'socket.io';
import type { Clock } from '../runtime/clock.ts';
import { namesThisShop } from '../runtime/own-host.ts';
import type { LiveSocket, LiveTransport, Room, TransportListener } from './live-transport.ts';
import { limitPackets } from './packet-limit.ts';
import { boundSendBuffers } from './send-buffers.ts';
import { type IoServer, type IoSocket, sendViews, socketsIn } from './send-views.ts';

interface SocketIoSettings {
  readonly server: HttpServer;
  readonly clock: Clock;
  /** PUBLIC_ORIGIN (AUTH7) */
  readonly publicOrigin?: string | null;
  /** returns whether another connection is allowed (RATE1) */
  readonly admits?: (request: IncomingMessage) => Promise<boolean>;
}

/** Accepts websockets on an HTTP server. A socket.io socket's `data` is the `LiveSocket` that the gateway sees. */
export function createSocketIoTransport(listener: TransportListener, settings: SocketIoSettings): LiveTransport {
  const { server, clock, publicOrigin = null, admits = async () => true } = settings;
  const io: IoServer = new Server(server, {
    transports: ['websocket'],
    serveClient: false,
    // Leaves upgrade requests for other paths to the HTTP server.
    destroyUpgrade: false,
    maxHttpBufferSize: 16_384,
    allowRequest(request, answer) {
      if (!namesThisShop(request, publicOrigin)) return answer('wrong_host', false);
      admits(request).then(
        (allowed) => answer(allowed ? null : 'too_many_requests', allowed),
        () => answer('unavailable', false),
      );
    },
  });
  limitPackets(io, clock, listener.dropped);
  boundSendBuffers(io, () => listener.dropped('too_slow'));
  io.use((socket, next) => {
    socket.data = toLiveSocket(socket);
    void listener.admit(socket.data).then((reason) => (reason === null ? next() : next(new Error(reason))));
  });
  io.on('connection', ({ data }) => listener.connected(data));

  return {
    sockets: () => Array.from(io.sockets.sockets.values(), ({ data }) => data),
    socketsIn: (room) => socketsIn(io, room).map(({ data }) => data),
    sendLive: (state) => void io.emit('live', state),
    sendPacking: (push, room, except) =>
      void io
        .to(room)
        .except(except ?? [])
        .emit('packing', push),
    sendViews: (rooms, pushes) => sendViews(io, rooms, pushes),
    disconnectAll: () => io.disconnectSockets(true),
    close() {
      io.disconnectSockets(true);
      // The HTTP server is left open for its owner to close.
      io.engine.close();
    },
  };
}

function toLiveSocket(socket: IoSocket): LiveSocket {
  return {
    auth: socket.handshake.auth,
    data: { handshake: {}, reads: 0, tracked: null },
    get connected() {
      return socket.connected;
    },
    // In socket.io, each socket is also in a room that is named after its own id.
    rooms: () => [...socket.rooms].filter((room): room is Room => room !== socket.id),
    join: (rooms) => void socket.join([...rooms]),
    leave: (room) => void socket.leave(room),
    emit: (name, ...content) => void socket.emit(name, ...content),
    disconnect: () => void socket.disconnect(true),
    onClosed(listener) {
      if (socket.conn.readyState === 'closed') listener();
      else socket.conn.once('close', listener);
    },
  };
}
