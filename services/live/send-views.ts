import type { Server, Socket } from 'socket.io';
import type { ClientToServerEvents, ServerToClientEvents, ViewPush } from '../contracts/pushes.ts';
import type { LiveSocket, Room } from './live-transport.ts';

export type IoServer = Server<ClientToServerEvents, ServerToClientEvents, Record<string, never>, LiveSocket>;
export type IoSocket = Socket<ClientToServerEvents, ServerToClientEvents, Record<string, never>, LiveSocket>;

/** The option through which socket.io's adapter passes a packet's complete WebSocket frame to Engine.IO. */
interface ReadyFrame {
  readonly wsPreEncodedFrame?: readonly Buffer[];
}

/** An Engine.IO packet that is being sent to one socket. */
export interface Packet {
  readonly data?: string;
  readonly options: ReadyFrame;
}

/** Returns the size of a packet in bytes, or in characters if the packet isn't encoded yet. */
export function sizeOf({ data, options: { wsPreEncodedFrame } }: Packet): number {
  return wsPreEncodedFrame?.reduce((sum, { length }) => sum + length, 0) ?? data?.length ?? 0;
}

/**
 * Emits a `view` event for each push to all sockets in these rooms. Each push is encoded only once, and each socket
 * gets all pushes in a single write. If the rooms are empty, nothing is encoded.
 */
export function sendViews(io: IoServer, rooms: readonly Room[], pushes: readonly ViewPush[]): void {
  const sockets = new Set(rooms.flatMap((room) => socketsIn(io, room)));
  if (sockets.size === 0) return;
  const packets = pushes.map((push) => `2${JSON.stringify(['view', push])}`);
  const ready: ReadyFrame = { wsPreEncodedFrame: [Buffer.concat(packets.flatMap((packet) => frameOf(`4${packet}`)))] };
  for (const { conn } of sockets) conn.write(packets[0], ready as object);
}

export function socketsIn(io: IoServer, room: Room): IoSocket[] {
  const ids = io.sockets.adapter.rooms.get(room) ?? new Set<string>();
  return [...ids].flatMap((id) => io.sockets.sockets.get(id) ?? []);
}

/** Returns the WebSocket frame for an unfragmented text message. A server's frames are unmasked (RFC 6455, 5.2). */
function frameOf(text: string): Buffer[] {
  const payload = Buffer.from(text);
  const { length } = payload;
  if (length < 126) return [Buffer.from([0x81, length]), payload];
  const head = Buffer.alloc(length < 65_536 ? 4 : 10);
  head[0] = 0x81;
  if (length < 65_536) head[1] = 126;
  else head[1] = 127;
  if (length < 65_536) head.writeUInt16BE(length, 2);
  else head.writeBigUInt64BE(BigInt(length), 2);
  return [head, payload];
}
