import type { LiveServer, LiveSocket } from './rooms.ts';
import { type Packet, sizeOf } from './send-views.ts';

/** What may wait for one socket, in bytes: some hundred views. */
const MOST_WAITING = 1_000_000;
/** How long a slow socket has for what it was already sent, in ms. */
const LAST_WORDS_MS = 5_000;

/**
 * Drops a socket that falls behind: it is told that it isn't live, reconnects on its own and fetches again (LIVE2). Nobody waits
 * for it.
 */
export function boundSendBuffers(io: LiveServer, onDropped: () => void): void {
  io.on('connection', (socket) => {
    let waiting = 0;
    let judging = false;
    // What was sent in one go waits as well, until the event loop comes round.
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

function drop(socket: LiveSocket): void {
  const { conn } = socket;
  setTimeout(() => conn.request.socket.destroy(), LAST_WORDS_MS).unref();
  socket.emit('live', { live: false });
  socket.disconnect(true);
}
