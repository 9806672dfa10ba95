import type { PackingPush } from '../contracts/packing/packing.ts';
import type { Handshake, LiveState, ServerToClientEvents, ViewPush } from '../contracts/pushes.ts';
import type { Audience } from '../engine/projector/projection.ts';

/** `tracking:` is followed by an order id. A socket in a tracking room is in no other room (TRACK4). */
export type Room = Audience | `tracking:${string}`;

/** What the gateway knows about a socket. Until the handshake has been parsed, that is the same as for a visitor. */
export interface SocketData {
  /** a visitor's handshake has no credential */
  handshake: Handshake;
  /**
   * how many times the shop has started to read which rooms the socket may be in; the result of a read is dropped if a
   * newer read has started
   */
  reads: number;
  /**
   * the tracked order's id, and the last version of the order that was sent to the socket; null if the socket doesn't
   * use a tracking link
   */
  tracked: { readonly id: string; readonly version: number } | null;
}

/** The server's end of one client's connection. */
export interface LiveSocket {
  /** the client's credentials, not parsed yet */
  readonly auth: unknown;
  data: SocketData;
  /** false during the handshake, and again after the socket has closed */
  readonly connected: boolean;
  rooms(): readonly Room[];
  join(rooms: readonly Room[]): void;
  leave(room: Room): void;
  /** Sends a message. Does nothing if the socket has closed. */
  emit<Name extends keyof ServerToClientEvents>(name: Name, ...content: Parameters<ServerToClientEvents[Name]>): void;
  disconnect(): void;
  /** Calls `listener` when the socket closes, even if that happens during the handshake, or now if it has closed already. */
  onClosed(listener: () => void): void;
}

export interface TransportListener {
  /**
   * Called with each new socket. The socket's handshake completes once the promise resolves with null. If the promise
   * resolves with a reason, the handshake is refused, and the client is told the reason. The promise never rejects.
   */
  admit(socket: LiveSocket): Promise<string | null>;
  /** called when a socket's handshake is complete */
  connected(socket: LiveSocket): void;
  /** called when the transport itself drops a client */
  dropped(reason: string): void;
}

/** Carries the gateway's messages to clients. A socket whose handshake isn't complete gets no messages. */
export interface LiveTransport {
  /** Returns the connected sockets. */
  sockets(): readonly LiveSocket[];
  /** Returns the connected sockets in this room. */
  socketsIn(room: Room): readonly LiveSocket[];
  /** Sends a `live` message to all sockets. */
  sendLive(state: LiveState): void;
  /** Sends a `packing` message to the sockets in `room`, except those that are also in the room `except`. */
  sendPacking(push: PackingPush, room: Room, except: Room | null): void;
  /**
   * Sends a `view` message for each push to all sockets in these rooms. A socket in several of the rooms gets each push
   * only once.
   */
  sendViews(rooms: readonly Room[], pushes: readonly ViewPush[]): void;
  /** Disconnects all clients. They reconnect on their own. */
  disconnectAll(): void;
  /** Disconnects all clients, and accepts no more. */
  close(): void;
}
