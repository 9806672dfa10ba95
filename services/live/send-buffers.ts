import { type IoServer, type IoSocket, type Packet, sizeOf } from './send-views.ts';

/** The maximum size of each socket's send queue, in bytes. Several hundred views fit into it. */
const MOST_WAITING = 1_000_000;
/** How long a dropped socket may take to receive the data already sent to it, in ms. After that, its connection is destroyed. */
const LAST_WORDS_MS = 5_000;

/**
 * Drops sockets that fall behind, so that they don't delay the others. A dropped client is told that its data is no
 * longer live. It then reconnects and refetches its data on its own (LIVE2).
 */
export function boundSendBuffers(io: IoServer, onDropped: () => void): void {
  io.on('connection', (socket) => {
    let waiting = 0;
    let judging = false;
    // Even for a fast socket, packets sent in one turn of the event loop queue up, so the limit is checked only after
    // that turn.
    const judge = () => {
      judging = false;
      if (waiting <= MOST_WAITING || !socket.connected) return;
      onDropped();
      drop(socket);
    };
    socket.conn.on('packetCreate', (packet: Packet) => {
      waiting += sizeOf(packet);
      if (waiting <= MOST_WAITING || judging) return;
      judging = true;
      setImmediate(judge);
    });
    socket.conn.on('flush', () => {
      waiting = 0;
    });
  });
}

function drop(socket: IoSocket): void {
  const { conn } = socket;
  setTimeout(() => conn.request.socket.destroy(), LAST_WORDS_MS).unref();
  socket.emit('live', { live: false });
  socket.disconnect(true);
}
