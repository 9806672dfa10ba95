import { LRUCache } from 'lru-cache';
import type { Decider } from '../../contracts/decider.ts';
import { type StreamName, streamName } from '../../contracts/ids.ts';
import type { Timing } from '../../runtime/schedule.ts';
import type { EventLog } from '../log/event-log.ts';
import type { Sealing } from '../log/sealing.ts';
import type { CachedStream } from './cached-stream.ts';
import type { CommandMeta, Outcome } from './command.ts';
import { createStreamQueue, type StreamQueue } from './stream-queue.ts';
import type { SnapshotSettings } from './stream-snapshots.ts';

/** Thrown if a command was rejected before anything was done. The command may be sent again later (CMD5). */
export class Overloaded extends Error {
  override readonly name = 'Overloaded';
}

export interface CommandHandler {
  /**
   * Resolves once the command's events are durable (CMD1). Set `bypassLimits` for the later steps of an accepted
   * command, which must run even if the queues are full (CMD5).
   * @throws Overloaded if the queues are full and nothing was done, StoreUnavailable if the events may have been
   * appended
   */
  execute<State, Command>(
    decider: Decider<State, Command>,
    id: string,
    command: Command,
    meta: CommandMeta,
    options?: { readonly bypassLimits?: boolean },
  ): Promise<Outcome<State>>;
  /**
   * Checks that the queues have room for another command on this stream. A caller that appends to another stream first
   * must call this before that append (CMD5).
   * @throws Overloaded if the queues are full
   */
  assertRoom<State>(decider: Decider<State, never>, id: string): void;
  /**
   * Returns a stream's state, which is at least as new as the stream's head in the log at the time of the call (READ1,
   * AUTH2).
   */
  load<State>(decider: Decider<State, never>, id: string): Promise<{ state: State; version: number }>;
  idle(): Promise<void>;
  pending(): number;
}

export interface CommandHandlerSettings {
  readonly log: EventLog;
  readonly sealing: Sealing;
  readonly newId: () => string;
  readonly onAppended?: ((stream: StreamName, version: number) => void) | undefined;
  readonly snapshots?: SnapshotSettings;
  readonly maxPending?: number;
  readonly maxPendingPerStream?: number;
  /** how long one append is retried before its outcome is reported as unknown, in ms (CMD7) */
  readonly appendTimeoutMs?: number | undefined;
  /** maximum size, in bytes, of the cache for streams that no call is using */
  readonly rememberedBytes?: number;
  /**
   * True if no other process appends to the log. load() can then return the cached state without reading the log. If
   * another process does append, the version check on the next append still detects the conflict (CMD2).
   */
  readonly soleWriter?: boolean;
  readonly timing?: Timing | undefined;
}

export function createCommandHandler(settings: CommandHandlerSettings): CommandHandler {
  const { maxPending = 8192, maxPendingPerStream = 4096, rememberedBytes = 16_000_000 } = settings;
  const { appendTimeoutMs = 1_500 } = settings;
  const remembered = new LRUCache<StreamName, CachedStream>({
    maxSize: rememberedBytes,
    sizeCalculation: ({ bytes }) => bytes,
  });
  const queues = new Map<StreamName, StreamQueue>();
  const whenIdle: (() => void)[] = [];
  let pending = 0;

  function queueOf<State>(decider: Decider<State, never>, id: string): StreamQueue {
    const stream = streamName(decider.kind, id);
    const known = queues.get(stream);
    if (known) return known;
    const all = decider as Decider<unknown, unknown>;
    return createStreamQueue({ ...settings, appendTimeoutMs, stream, decider: all }, remembered.get(stream));
  }

  function assertRoom(stream: StreamName, { users }: Pick<StreamQueue, 'users'>): void {
    if (pending < maxPending && users < maxPendingPerStream) return;
    throw new Overloaded(`Too many commands are waiting (${pending} in all, ${users} on ${stream}).`);
  }

  /**
   * Runs `work` on a stream's queue, which all calls on that stream share. While the queue is in use, the cached stream
   * is held by the queue instead of the cache, so that it can't be evicted.
   */
  async function use<T>(stream: StreamName, queue: StreamQueue, work: () => Promise<T>): Promise<T> {
    queues.set(stream, queue);
    remembered.delete(stream);
    queue.users += 1;
    try {
      return await work();
    } finally {
      queue.users -= 1;
      if (queue.users === 0) {
        queues.delete(stream);
        if (queue.cached) remembered.set(stream, queue.cached);
      }
    }
  }

  return {
    async execute(decider, id, command, meta, options) {
      const stream = streamName(decider.kind, id);
      const queue = queueOf(decider, id);
      if (!options?.bypassLimits) assertRoom(stream, queue);
      pending += 1;
      try {
        return (await use(stream, queue, () => queue.execute(command, meta))) as Outcome<never>;
      } finally {
        pending -= 1;
        if (pending === 0) for (const resolve of whenIdle.splice(0)) resolve();
      }
    },
    assertRoom(decider, id) {
      const stream = streamName(decider.kind, id);
      assertRoom(stream, queues.get(stream) ?? { users: 0 });
    },
    async load(decider, id) {
      const stream = streamName(decider.kind, id);
      // If a call is using the stream, an append may be running, so the log may be ahead of the cached state.
      const idle = settings.soleWriter && !queues.has(stream) ? remembered.get(stream) : undefined;
      if (idle && !idle.inDoubt) return idle.folded as { state: never; version: number };
      const queue = queueOf(decider, id);
      return (await use(stream, queue, () => queue.load())) as { state: never; version: number };
    },
    idle: () => (pending === 0 ? Promise.resolve() : new Promise((resolve) => whenIdle.push(resolve))),
    pending: () => pending,
  };
}
