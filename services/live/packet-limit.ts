import type { Clock } from '../runtime/clock.ts';
import type { IoServer } from './send-views.ts';

/** After connecting, a client normally sends only one packet every 25 s, in reply to a ping. */
const PACKETS = { burst: 20, perSecond: 1 } as const;

interface Connection {
  readonly request: { readonly socket: { destroy(): void } };
  on(event: 'packet', listener: () => void): void;
}

/**
 * Disconnects clients that send any message at all, or too many packets (RATE1). Destroys the TCP connection, because
 * after a regular close the server would keep reading from the connection for 30 s.
 */
export function limitPackets(io: IoServer, clock: Clock, onDisconnect: (reason: string) => void): void {
  function disconnect({ request }: Connection, reason: string): void {
    onDisconnect(reason);
    request.socket.destroy();
  }

  io.engine.on('connection', (connection: Connection) => {
    let emptyAt = clock();
    connection.on('packet', () => {
      emptyAt = Math.max(emptyAt, clock()) + 1_000 / PACKETS.perSecond;
      if (emptyAt - clock() > PACKETS.burst * (1_000 / PACKETS.perSecond)) disconnect(connection, 'too_many_packets');
    });
  });
  io.on('connection', (socket) => {
    socket.onAny(() => disconnect(socket.conn, 'unknown_message'));
  });
}
