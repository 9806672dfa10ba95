import type { Server, Socket } from 'socket.io';
import type { Audience } from '../contracts/projection.ts';
import type { ClientToServerEvents, Handshake, ServerToClientEvents } from '../contracts/pushes.ts';
import type { TrackingView } from '../contracts/views.ts';

export interface SocketCaller {
  readonly userId: string;
  readonly role: 'admin' | 'customer';
  readonly expiresAt: number;
}

/** The order that a tracking link shows. `endsAt` in milliseconds since the epoch; Infinity while that is not known. */
export interface TrackedOrder {
  readonly view: TrackingView;
  readonly endsAt: number;
}

/** What a socket may see at this moment. */
export interface Pass {
  readonly rooms: readonly Room[];
  readonly expiresAt: number;
  /** present on a tracking link's */
  readonly tracking?: TrackingView;
}

/** `tracking:` takes the id of an order; who is in it is in no other (TRACK4). */
export type Room = Audience | `tracking:${string}`;

export interface SocketData {
  /** without a credential it is a visitor's */
  handshake: Handshake;
  /** counts the reads of its pass, so that only the newest one counts */
  reads: number;
  /** the order of a tracking link, and the version that it was shown last */
  tracked: { readonly id: string; readonly version: number } | null;
}
export type LiveServer = Server<ClientToServerEvents, ServerToClientEvents, Record<string, never>, SocketData>;
export type LiveSocket = Socket<ClientToServerEvents, ServerToClientEvents, Record<string, never>, SocketData>;

export const VISITOR: Pass = { rooms: ['everyone'], expiresAt: Number.POSITIVE_INFINITY };

/** The catalogue, its own orders for a customer, every order for an admin (LIVE3). */
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

/** Returns whether the socket's rooms changed. */
export async function moveToRooms(socket: LiveSocket, rooms: readonly Room[]): Promise<boolean> {
  const before = [...socket.rooms].filter((room) => room !== socket.id);
  const leaving = before.filter((room) => !rooms.some((one) => one === room));
  const joining = rooms.filter((room) => !socket.rooms.has(room));
  for (const room of leaving) await socket.leave(room);
  await socket.join(joining);
  return leaving.length > 0 || joining.length > 0;
}
