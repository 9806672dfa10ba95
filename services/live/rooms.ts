import type { Server, Socket } from 'socket.io';
import type { Audience } from '../contracts/projection.ts';
import type { ClientToServerEvents, ServerToClientEvents } from '../contracts/pushes.ts';

export interface SocketCaller {
  readonly userId: string;
  readonly role: 'admin' | 'customer';
  readonly expiresAt: number;
}

export interface SocketData {
  /** null for a visitor */
  token: string | null;
  /** counts the reads of its role, so that only the newest one counts */
  reads: number;
}
export type LiveServer = Server<ClientToServerEvents, ServerToClientEvents, Record<string, never>, SocketData>;
export type LiveSocket = Socket<ClientToServerEvents, ServerToClientEvents, Record<string, never>, SocketData>;

/** The rooms of a socket: the catalogue for everyone, its own orders for a customer, every order for an admin (LIVE3). */
export function roomsOf(caller: SocketCaller | null): Audience[] {
  if (caller === null) return ['everyone'];
  const own: Audience[] = ['everyone', `user:${caller.userId}`];
  return caller.role === 'admin' ? [...own, 'admins'] : own;
}

/** Returns whether the socket's rooms changed. */
export async function moveToRooms(socket: LiveSocket, rooms: readonly Audience[]): Promise<boolean> {
  const before = [...socket.rooms].filter((room) => room !== socket.id);
  const leaving = before.filter((room) => !rooms.some((one) => one === room));
  const joining = rooms.filter((room) => !socket.rooms.has(room));
  for (const room of leaving) await socket.leave(room);
  await socket.join(joining);
  return leaving.length > 0 || joining.length > 0;
}
