import type { TrackingView } from '../contracts/tracking/tracking-view.ts';
import type { LiveSocket, Room } from './live-transport.ts';

export interface SocketCaller {
  readonly userId: string;
  readonly role: 'admin' | 'customer';
  readonly tokenExpiresAt: number;
}

/**
 * The order that a tracking link shows. `endsAt` is when the link expires, in milliseconds since the epoch, or Infinity
 * while that time isn't known.
 */
export interface TrackedOrder {
  readonly view: TrackingView;
  readonly endsAt: number;
}

/** The rooms that a socket may be in. `endsAt` is when this permission ends, in milliseconds since the epoch. */
export interface Pass {
  readonly rooms: readonly Room[];
  readonly endsAt: number;
  /** present if the socket uses a tracking link */
  readonly tracking?: TrackingView;
}

export const VISITOR: Pass = { rooms: ['everyone'], endsAt: Number.POSITIVE_INFINITY };

/** Everyone sees the catalogue. A customer also sees their own orders, and an admin sees every order (LIVE3). */
export function passOfCaller({ userId, role, tokenExpiresAt }: SocketCaller): Pass {
  const own: Room[] = ['everyone', `user:${userId}`];
  return { rooms: role === 'admin' ? [...own, 'admins'] : own, endsAt: tokenExpiresAt };
}

export function passOfTracked({ view, endsAt }: TrackedOrder): Pass {
  return { rooms: [trackingRoom(view._id)], endsAt, tracking: view };
}

export function trackingRoom(orderId: string): Room {
  return `tracking:${orderId}`;
}

/** Moves the socket to these rooms. Returns whether the socket's rooms changed. */
export function moveToRooms(socket: LiveSocket, rooms: readonly Room[]): boolean {
  const before = socket.rooms();
  const leaving = before.filter((room) => !rooms.includes(room));
  const joining = rooms.filter((room) => !before.includes(room));
  for (const room of leaving) socket.leave(room);
  socket.join(joining);
  return leaving.length > 0 || joining.length > 0;
}
