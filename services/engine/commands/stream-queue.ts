import type { Decider } from '../../contracts/decider.ts';
import type { RecordedEvent, StoredEvent } from '../../contracts/events.ts';
import type { StreamName } from '../../contracts/ids.ts';
import { batchRequests } from '../../runtime/batch-requests.ts';
import type { Timing } from '../../runtime/schedule.ts';
import { StoreUnavailable } from '../../runtime/store-unavailable.ts';
import { type EventLog, InvalidCommit, MAX_COMMIT_EVENTS } from '../log/event-log.ts';
import { type Folded, foldStream } from '../log/fold-stream.ts';
import { KeyMissing } from '../log/key-vault.ts';
import type { Sealing } from '../log/sealing.ts';
import { appendCommit } from './append-commit.ts';
import type { CommandMeta, Outcome } from './command.ts';
import { type DecidedBatch, decideBatch, type SeenStream, type WaitingCommand } from './decide-batch.ts';
import type { StreamMemory } from './stream-memory.ts';
import { createStreamSnapshots, type SnapshotSettings } from './stream-snapshots.ts';

/**
 * A command produces at most two events, so the events of a full batch fit into one commit. If they have too many bytes
 * for one commit, the batch is split.
 */
const MAX_BATCH = MAX_COMMIT_EVENTS / 2;
const MAX_CONFLICTS = 100;

type Outcomes = DecidedBatch['outcomes'];

export interface StreamQueue {
  readonly memory: StreamMemory;
  /**
   * The number of calls that are using this queue. The command handler updates this count, and drops the queue when the
   * count reaches zero.
   */
  users: number;
  execute(command: unknown, meta: CommandMeta): Promise<Outcome<unknown>>;
  load(): Promise<Folded<unknown>>;
}

interface StreamQueueSettings {
  readonly stream: StreamName;
  readonly decider: Decider<unknown, unknown>;
  readonly log: EventLog;
  readonly sealing: Sealing;
  readonly newId: () => string;
  readonly onAppended?: ((stream: StreamName, version: number) => void) | undefined;
  readonly snapshots?: SnapshotSettings;
  readonly appendTimeoutMs: number;
  readonly soleWriter?: boolean;
  readonly timing?: Timing | undefined;
}

/** Returns a stream's queue. The queue exists only while calls are waiting or running, but its `memory` may be cached for longer. */
export function createStreamQueue(settings: StreamQueueSettings, memory: StreamMemory): StreamQueue {
  const { stream, decider, log } = settings;
  const { handledCauses } = memory;
  const evolve = decider.evolve.bind(decider);
  const snapshots = createStreamSnapshots(settings, memory.snapshots);
  const commands = batchRequests({ send: decideAll, maxBatchSize: MAX_BATCH, maxInFlight: 1 });
  const loads = batchRequests<null, Folded<unknown>>({ send: loadAll, maxBatchSize: Infinity, maxInFlight: 1 });

  function keep(folded: Folded<unknown>): Folded<unknown> {
    if (!memory.kept || folded.version > memory.kept.version) memory.kept = folded;
    snapshots.offer(memory.kept);
    return memory.kept;
  }

  function foldFrom(from: Folded<unknown>, each?: (event: StoredEvent) => void): Promise<Folded<unknown>> {
    const fold = (state: unknown, event: RecordedEvent, stored: StoredEvent) => {
      handledCauses.add(event.cause);
      snapshots.folded(event);
      each?.(stored);
      return evolve(state, event);
    };
    return foldStream(settings, stream, from, fold, decider.opening);
  }

  /** Returns the state to continue reading from: the cached state if there is one, otherwise the stream's snapshot or the initial state. */
  async function beginning(): Promise<Folded<unknown>> {
    if (memory.kept) return memory.kept;
    const snapshot = await snapshots.find();
    // The events before a snapshot aren't folded, so their causes stay unknown.
    if (snapshot) handledCauses.forget();
    return snapshot ?? { state: decider.initialState, version: 0 };
  }

  /** All waiting calls share one read, so a long stream is folded only once. */
  async function loadAll(waiting: readonly null[]): Promise<Folded<unknown>[]> {
    try {
      const folded = keep(await foldFrom(await beginning()));
      return waiting.map(() => folded);
    } catch (error) {
      rejectBehindLostStore(loads, error);
      throw error;
    }
  }

  async function decideAll(batch: readonly WaitingCommand[]): Promise<Outcomes> {
    try {
      return await decideTogether(batch);
    } catch (error) {
      if (batch.length > 1 && (error instanceof InvalidCommit || error instanceof KeyMissing)) {
        // If the batch was too large for one commit or a person's key was missing, nothing was appended. Each half is
        // then decided separately.
        const half = Math.ceil(batch.length / 2);
        return [...(await decideAll(batch.slice(0, half))), ...(await decideAll(batch.slice(half)))];
      }
      rejectBehindLostStore(commands, error);
      return batch.map(() => error as Error);
    }
  }

  /**
   * Decides the outcomes of the batch's commands. Uses the cached state if possible, and otherwise a state read from
   * the log. If an append conflicts, the state was stale, for example because another process has appended to the
   * stream. In that case, reads the log and decides again (CMD2).
   */
  async function decideTogether(batch: readonly WaitingCommand[]): Promise<Outcomes> {
    const onKept = memory.kept ? await decideOnKept(batch, memory.kept) : null;
    if (onKept) return onKept;
    for (let tries = 0; tries < MAX_CONFLICTS; tries += 1) {
      const outcomes = await decideOnLog(batch);
      if (outcomes) return outcomes;
    }
    throw new Error(`${stream}: ${MAX_CONFLICTS} conflicts in a row.`);
  }

  /**
   * Decides the batch without reading the log. Returns null if the log has to be read, which is the case if a command
   * may be a repeat or the cached state may be stale.
   */
  async function decideOnKept(batch: readonly WaitingCommand[], kept: Folded<unknown>): Promise<Outcomes | null> {
    // Once a snapshot has been loaded, or there are too many causes to remember, the stream's causes are no longer
    // known, and any command may be a repeat. From then on, the log has to be read for every batch.
    if (handledCauses.among(causesOf(batch)).length > 0) return null;
    const decided = decideBatch(settings, batch, { folded: kept, recorded: [] });
    // A decision without events may be based on stale state, because the log checks the version only during an append.
    if (decided.events.length === 0) return null;
    return (await append(kept.version, decided)) ? decided.outcomes : null;
  }

  async function decideOnLog(batch: readonly WaitingCommand[]): Promise<Outcomes | null> {
    const seen = await read(batch);
    const decided = decideBatch(settings, batch, seen);
    return decided.events.length === 0 || (await append(seen.folded.version, decided)) ? decided.outcomes : null;
  }

  /**
   * Reads the stream's events since the cached state or snapshot, and any earlier events with the same cause as a
   * command in the batch. The result reflects the stream at a single version, even if another process appends during
   * the read (CMD3).
   */
  async function read(batch: readonly WaitingCommand[]): Promise<SeenStream> {
    // beginning() may load a snapshot, which discards the known causes. It must therefore be called before the causes
    // are checked.
    const from = await beginning();
    const causes = causesOf(batch);
    const repeated = handledCauses.among(causes);
    const since: StoredEvent[] = [];
    const [found, folded] = await Promise.all([
      repeated.length === 0 ? [] : log.findByCauses(stream, repeated),
      foldFrom(from, (event) => {
        if (causes.has(event.cause)) since.push(event);
      }),
    ]);
    keep(folded);
    const before = found.filter((event) => event.streamversion <= from.version);
    // The personal data in these events is opened (decrypted) even if the fold doesn't need it. Repeated commands are
    // compared with these events, and orders are built from them.
    return { folded, recorded: await settings.sealing.openAll([...before, ...since]) };
  }

  /**
   * Appends the decided events. Returns false on a conflict. After a conflict or an error, `inDoubt` stays true until a
   * later append succeeds.
   */
  async function append(expectedVersion: number, { folded, events }: DecidedBatch): Promise<boolean> {
    const stored = await settings.sealing.sealAll(events);
    const commit = { id: settings.newId(), stream, expectedVersion, events: stored };
    memory.inDoubt = true;
    const result = await appendCommit(log, commit, settings.appendTimeoutMs, settings.timing);
    if (result.kind === 'conflict') return false;
    for (const event of events) {
      handledCauses.add(event.cause);
      snapshots.folded(event);
    }
    keep(folded);
    memory.inDoubt = false;
    settings.onAppended?.(stream, result.version);
    return true;
  }

  return {
    memory,
    users: 0,
    execute: (command, meta) => commands({ command, meta }),
    load: async () => (settings.soleWriter && memory.kept && !memory.inDoubt ? memory.kept : loads(null)),
  };
}

/** If the store is unavailable, rejects the waiting requests too, because each of them would only run into the same timeout (CMD7). */
function rejectBehindLostStore(waiting: { rejectWaiting(error: unknown): void }, error: unknown): void {
  if (error instanceof StoreUnavailable) waiting.rejectWaiting(error);
}

const causesOf = (batch: readonly WaitingCommand[]) => new Set(batch.map(({ meta }) => meta.cause));
