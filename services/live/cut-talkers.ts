import type { Clock } from '../runtime/clock.ts';
import type { LiveServer } from './rooms.ts';

/** What a client has reason to send: that it connects, and an answer to each ping of the server, one in 25 s. */
const PACKETS = { burst: 20, perSecond: 1 } as const;

/** A connection below socket.io (engine.io's Socket), as far as it is watched. */
interface Connection {
  readonly request: { readonly socket: { destroy(): void } };
  on(event: 'packet', listener: () => void): void;
}

/**
 * Ends the connection of a client that says a word, since clients have none (contracts/pushes.ts), or that sends more
 * packets than it has reason to (RATE1). The TCP connection ends at once: a polite close would go on reading for half a minute.
 */
export function cutTalkers(io: LiveServer, clock: Clock, onCut: (reason: string) => void): void {
  function cut({ request }: Connection, reason: string): void {
    onCut(reason);
    request.socket.destroy();
  }

  io.engine.on('connection', (connection: Connection) => {
    let restedAt = clock();
    connection.on('packet', () => {
      restedAt = Math.max(restedAt, clock()) + 1_000 / PACKETS.perSecond;
      if (restedAt - clock() > PACKETS.burst * (1_000 / PACKETS.perSecond)) cut(connection, 'too_many_packets');
    });
  });
  io.on('connection', (socket) => {
    socket.onAny(() => cut(socket.conn, 'unknown_message'));
  });
}
