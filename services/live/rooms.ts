import type { Server, Socket } from 'socket.io';
import type { Audience } from '../contracts/projection.ts';
import type { ClientToServerEvents, Handshake, ServerToClientEvents } from '../contracts/pushes.ts';
import type { TrackingView } from '../contracts/views.ts';

export interface SocketCaller {
  readonly userId: string;
  readonly role: 'admin' | 'customer';
  readonly expiresAt: number;
}

/**
 * The order that a tracking link shows. `endsAt` is when the link expires, in milliseconds since the epoch, or Infinity
 * while that time isn't known.
 */
export interface TrackedOrder {
  readonly view: TrackingView;
  readonly endsAt: number;
}

/** The rooms that a socket may be in. `expiresAt` is when this permission ends, in milliseconds since the epoch. */
export interface Pass {
  readonly rooms: readonly Room[];
  readonly expiresAt: number;
  /** present if the socket uses a tracking link */
  readonly tracking?: TrackingView;
}

/** `tracking:` is followed by an order id. A socket in a tracking room is in no other room (TRACK4). */
export type Room = Audience | `tracking:${string}`;

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
export type LiveServer = Server<ClientToServerEvents, ServerToClientEvents, Record<string, never>, SocketData>;
export type LiveSocket = Socket<ClientToServerEvents, ServerToClientEvents, Record<string, never>, SocketData>;

export const VISITOR: Pass = { rooms: ['everyone'], expiresAt: Number.POSITIVE_INFINITY };

/** Everyone sees the catalogue. A customer also sees their own orders, and an admin sees every order (LIVE3). */
export function passOfCaller({ userId, role, expiresAt }: SocketCaller): Pass {
  const own: Room[] = ['everyone', `user:${userId}`];
  return { rooms: role === 'admin' ? [...own, 'admins'] : own, expiresAt };
}

export function passOfTracked({ view, endsAt }: TrackedOrder): Pass {
  return { rooms: [trackingRoom(view._id)], expiresAt: endsAt, tracking: view };
}

export function trackingRoom(orderId: string): Room {
  return `tracking:${orderId}`;
}

/** Moves the socket to these rooms. Returns whether the socket's rooms changed. */
export async function moveToRooms(socket: LiveSocket, rooms: readonly Room[]): Promise<boolean> {
  const before = [...socket.rooms].filter((room) => room !== socket.id);
  const leaving = before.filter((room) => !rooms.some((one) => one === room));
  const joining = rooms.filter((room) => !socket.rooms.has(room));
  for (const room of leaving) await socket.leave(room);
  await socket.join(joining);
  return leaving.length > 0 || joining.length > 0;
}
