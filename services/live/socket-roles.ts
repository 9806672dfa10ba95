import { type LiveSocket, moveToRooms, roomsOf, type SocketCaller } from './rooms.ts';

/** Keeps sockets in the rooms of what their users are now (LIVE3). */
export interface SocketRoles {
  /** Reads anew what these sockets may see. One whose role cannot be read stays where it is, and is asked for again soon. */
  readAgain(sockets: Iterable<LiveSocket>): Promise<void>;
  close(): void;
}

export interface SocketRolesSettings {
  /** the caller that an access token stands for; null where it is refused */
  readonly authenticate: (token: string) => Promise<SocketCaller | null>;
  /** told of the first of several roles that cannot be read */
  readonly onUnread?: (error: unknown) => void;
  /** how long a role that could not be read waits, in ms */
  readonly retryMs: number;
}

/** The tokens asked for side by side: enough for one trip to the store and the provider, few enough to let others pass. */
const AT_ONCE = 100;

/** Asks once for all sockets of a token, and for many tokens at a time. A socket goes by the newest read alone. */
export function createSocketRoles({ authenticate, onUnread, retryMs }: SocketRolesSettings): SocketRoles {
  const unread = new Set<LiveSocket>();
  let retry: NodeJS.Timeout | null = null;

  async function readAgain(sockets: Iterable<LiveSocket>): Promise<void> {
    const byToken = [...groupedByToken(sockets)];
    for (let from = 0; from < byToken.length; from += AT_ONCE) {
      await Promise.all(byToken.slice(from, from + AT_ONCE).map(([token, group]) => readOne(token, group)));
    }
  }

  async function readOne(token: string, sockets: readonly LiveSocket[]): Promise<void> {
    const reads = sockets.map(({ data }) => {
      data.reads += 1;
      return data.reads;
    });
    const overtaken = (socket: LiveSocket, index: number) => socket.data.reads !== reads[index];
    let caller: SocketCaller | null;
    try {
      caller = await authenticate(token);
    } catch (error) {
      if (unread.size === 0) onUnread?.(error);
      for (const [index, socket] of sockets.entries()) if (!overtaken(socket, index)) unread.add(socket);
      retry ??= setTimeout(retryUnread, retryMs).unref();
      return;
    }
    for (const [index, socket] of sockets.entries()) if (!overtaken(socket, index)) await settle(socket, caller);
  }

  async function settle(socket: LiveSocket, caller: SocketCaller | null): Promise<void> {
    unread.delete(socket);
    if (caller === null) socket.disconnect(true);
    else if (await moveToRooms(socket, roomsOf(caller))) socket.emit('resync', { reason: 'roles_changed' });
  }

  async function retryUnread(): Promise<void> {
    const again = [...unread].filter(({ connected }) => connected);
    unread.clear();
    await readAgain(again);
    retry = unread.size > 0 ? setTimeout(retryUnread, retryMs).unref() : null;
  }

  return {
    readAgain,
    close() {
      if (retry) clearTimeout(retry);
    },
  };
}

function groupedByToken(sockets: Iterable<LiveSocket>): Map<string, LiveSocket[]> {
  const groups = new Map<string, LiveSocket[]>();
  for (const socket of sockets) {
    const { token } = socket.data;
    if (token === null) continue;
    const group = groups.get(token) ?? [];
    group.push(socket);
    groups.set(token, group);
  }
  return groups;
}
