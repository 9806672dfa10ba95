import { type LiveSocket, moveToRooms, roomsOf, type SocketCaller } from './rooms.ts';

interface SocketRolesSettings {
  readonly authenticate: (token: string) => Promise<SocketCaller | null>;
  /** called for the first of several roles that cannot be read */
  readonly onRolesUnread?: (error: unknown) => void;
  readonly retryMs: number;
}

/** Enough for one batch at the store and the provider, few enough to let others pass. */
const MAX_IN_FLIGHT = 100;

/** Keeps each socket in the rooms of its user's present role (LIVE3). Asks once per token; only the newest read counts. */
export function createSocketRoles({ authenticate, onRolesUnread, retryMs }: SocketRolesSettings) {
  const unread = new Set<LiveSocket>();
  let retry: NodeJS.Timeout | null = null;

  async function refresh(sockets: Iterable<LiveSocket>): Promise<void> {
    const byToken = [...groupedByToken(sockets)];
    for (let from = 0; from < byToken.length; from += MAX_IN_FLIGHT) {
      await Promise.all(byToken.slice(from, from + MAX_IN_FLIGHT).map(([token, group]) => readOne(token, group)));
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
      if (unread.size === 0) onRolesUnread?.(error);
      for (const [index, socket] of sockets.entries()) if (!overtaken(socket, index)) unread.add(socket);
      retry ??= setTimeout(retryUnread, retryMs).unref();
      return;
    }
    for (const [index, socket] of sockets.entries()) if (!overtaken(socket, index)) await apply(socket, caller);
  }

  async function apply(socket: LiveSocket, caller: SocketCaller | null): Promise<void> {
    unread.delete(socket);
    if (caller === null) socket.disconnect(true);
    else if (await moveToRooms(socket, roomsOf(caller))) socket.emit('resync', { reason: 'roles_changed' });
  }

  async function retryUnread(): Promise<void> {
    const again = [...unread].filter(({ connected }) => connected);
    unread.clear();
    await refresh(again);
    retry = unread.size > 0 ? setTimeout(retryUnread, retryMs).unref() : null;
  }

  return {
    /** Reads the roles of these sockets. One whose role cannot be read keeps its rooms and is retried soon. */
    refresh,
    close(): void {
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
