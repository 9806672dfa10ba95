import type { PackingPush } from '../../contracts/packing/packing.ts';
import type { LiveSocket, LiveTransport, Room, SocketData, TransportListener } from '../../live/live-transport.ts';
import type { CloseReason } from './browser.ts';
import type { SimulatedProcess } from './simulated-process.ts';

/** The network's end of a connection, on the side of the shop. Its calls arrive at the browser later, or never. */
export interface Wire {
  connected(): void;
  refused(reason: string): void;
  message(name: string, content: unknown): void;
  closed(reason: CloseReason): void;
}

/** A transport whose connections are opened by the simulated network. */
export interface MemoryLiveTransport extends LiveTransport {
  /** Accepts a connection. Returns a function to call when the connection has broken or the browser has closed it. */
  accept(auth: unknown, wire: Wire): () => void;
  /** Breaks all connections, as when the process dies. */
  breakAll(): void;
}

export function createMemoryLiveTransport(
  listener: TransportListener,
  process: Pick<SimulatedProcess, 'run'>,
): MemoryLiveTransport {
  /** all connections, including those whose handshake isn't complete */
  const open = new Map<LiveSocket, { readonly wire: Wire; end(): void }>();
  let isClosed = false;
  const sockets = () => [...open.keys()].filter(({ connected }) => connected);
  const inAny = (rooms: readonly Room[]) => sockets().filter((one) => one.rooms().some((room) => rooms.includes(room)));

  return {
    sockets,
    socketsIn: (room) => inAny([room]),
    sendLive(state) {
      for (const socket of sockets()) socket.emit('live', state);
    },
    sendPacking(push: PackingPush, room, except) {
      for (const socket of inAny([room])) {
        if (except === null || !socket.rooms().includes(except)) socket.emit('packing', push);
      }
    },
    sendViews(rooms, pushes) {
      for (const socket of inAny(rooms)) for (const push of pushes) socket.emit('view', push);
    },
    disconnectAll() {
      for (const socket of [...open.keys()]) socket.disconnect();
    },
    close() {
      isClosed = true;
      for (const socket of [...open.keys()]) socket.disconnect();
    },
    breakAll() {
      for (const { wire, end } of [...open.values()]) {
        end();
        wire.closed('transport close');
      }
    },
    accept(auth, wire) {
      const rooms = new Set<Room>();
      const closed: (() => void)[] = [];
      let state: 'handshake' | 'connected' | 'closed' = 'handshake';
      const data: SocketData = { handshake: {}, reads: 0, tracked: null };

      function end(): void {
        if (state === 'closed') return;
        state = 'closed';
        open.delete(socket);
        rooms.clear();
        for (const tell of closed.splice(0)) tell();
      }
      const socket: LiveSocket = {
        auth,
        data,
        get connected() {
          return state === 'connected';
        },
        rooms: () => [...rooms],
        join(joined) {
          for (const room of joined) rooms.add(room);
        },
        leave: (room) => void rooms.delete(room),
        emit(name, ...[content]) {
          if (state === 'connected') wire.message(name, content);
        },
        disconnect() {
          if (state === 'closed') return;
          const reason = state === 'connected' ? 'io server disconnect' : 'transport close';
          end();
          wire.closed(reason);
        },
        onClosed(tell) {
          if (state === 'closed') tell();
          else closed.push(tell);
        },
      };
      if (isClosed) return () => {};
      open.set(socket, { wire, end });
      void listener.admit(socket).then((reason) =>
        process.run(() => {
          if (state !== 'handshake') return;
          if (reason !== null) {
            end();
            return wire.refused(reason);
          }
          state = 'connected';
          wire.connected();
          listener.connected(socket);
        }),
      );
      return end;
    },
  };
}
