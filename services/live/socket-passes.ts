import type { Handshake, ViewPush } from '../contracts/pushes.ts';
import type { TrackingView } from '../contracts/tracking/tracking-view.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Schedule } from '../runtime/schedule.ts';
import type { LiveSocket, SocketData } from './live-transport.ts';
import { moveToRooms, type Pass } from './rooms.ts';

type HopTimes = ViewPush['at'];

interface SocketPassesSettings {
  /** returns the rooms that a socket with this credential may be in (see Pass), or null if the credential is refused */
  readonly passOf: (handshake: Handshake) => Promise<Pass | null>;
  readonly clock: Clock;
  readonly schedule: Schedule;
  /** called when a socket's permitted rooms can't be read, but at most once per round of reads */
  readonly onUnread?: (error: unknown) => void;
  readonly retryMs: number;
}

/**
 * The maximum number of concurrent reads. It is large enough to fill one batch of the store or the identity provider,
 * but small enough not to delay other requests.
 */
const MAX_IN_FLIGHT = 100;

/**
 * Keeps each socket in the rooms that its user's current role allows (LIVE3), and sends each tracking socket the
 * current state of its order (TRACK4). A credential's pass (its permitted rooms) is read once for all sockets that use
 * the credential. If reads overlap, only the result of the newest read is applied.
 */
export function createSocketPasses({ passOf, clock, schedule, onUnread, retryMs }: SocketPassesSettings) {
  const unread = new Set<LiveSocket>();
  let cancelRetry: (() => void) | null = null;

  async function refresh(sockets: Iterable<LiveSocket>, at?: HopTimes): Promise<void> {
    const groups = groupedByCredential(sockets);
    for (let from = 0; from < groups.length; from += MAX_IN_FLIGHT) {
      await Promise.all(groups.slice(from, from + MAX_IN_FLIGHT).map((group) => readOne(group, at)));
    }
  }

  async function readOne({ handshake, sockets }: CredentialGroup, at?: HopTimes): Promise<void> {
    const reads = sockets.map(({ data }) => {
      data.reads += 1;
      return data.reads;
    });
    const overtaken = (socket: LiveSocket, index: number) => socket.data.reads !== reads[index];
    let pass: Pass | null;
    try {
      pass = await passOf(handshake);
    } catch (error) {
      if (unread.size === 0) onUnread?.(error);
      for (const [index, socket] of sockets.entries()) if (!overtaken(socket, index)) unread.add(socket);
      cancelRetry ??= schedule(retryMs, retryUnread);
      return;
    }
    for (const [index, socket] of sockets.entries()) if (!overtaken(socket, index)) apply(socket, pass, at);
  }

  function apply(socket: LiveSocket, pass: Pass | null, at?: HopTimes): void {
    unread.delete(socket);
    const { tracked } = socket.data;
    if (tracked !== null) showOrder(socket, tracked, pass?.tracking ?? null, at);
    if (pass === null) socket.disconnect();
    else if (moveToRooms(socket, pass.rooms)) socket.emit('resync', { reason: 'roles_changed' });
  }

  /** A null view makes the page fetch the order from the API, which then responds with a 404. */
  function showOrder(
    socket: LiveSocket,
    { id, version: shown }: NonNullable<SocketData['tracked']>,
    view: TrackingView | null,
    at?: HopTimes,
  ): void {
    const version = view?.version ?? shown + 1;
    if (version <= shown) return;
    socket.data.tracked = { id, version };
    const pushed = clock();
    socket.emit('view', {
      kind: 'tracking',
      id,
      version,
      view,
      at: { appended: pushed, projected: pushed, ...at, pushed },
    });
  }

  async function retryUnread(): Promise<void> {
    const again = [...unread].filter(({ connected }) => connected);
    unread.clear();
    await refresh(again);
    cancelRetry = unread.size > 0 ? schedule(retryMs, retryUnread) : null;
  }

  return {
    /**
     * Rereads which rooms these sockets may be in. `at` contains the timestamps of the push that caused the refresh. If
     * a socket's permitted rooms can't be read, the socket stays in its rooms, and the read is retried after `retryMs`.
     */
    refresh,
    close(): void {
      cancelRetry?.();
    },
  };
}

interface CredentialGroup {
  readonly handshake: Handshake;
  readonly sockets: LiveSocket[];
}

/**
 * Groups sockets by credential, leaving out visitors. A tracking token never equals an access token, because only
 * access tokens contain dots.
 */
function groupedByCredential(sockets: Iterable<LiveSocket>): CredentialGroup[] {
  const groups = new Map<string, CredentialGroup>();
  for (const socket of sockets) {
    const { handshake } = socket.data;
    const credential = handshake.tracking ?? handshake.token;
    if (credential === undefined) continue;
    const group = groups.get(credential) ?? { handshake, sockets: [] };
    group.sockets.push(socket);
    groups.set(credential, group);
  }
  return [...groups.values()];
}
