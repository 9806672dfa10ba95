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
import { CachedStream } from './cached-stream.ts';
import type { CommandMeta, Outcome } from './command.ts';
import { type DecidedBatch, decideBatch, type WaitingCommand } from './decide-batch.ts';
import { findSnapshot, offerSnapshot, type SnapshotSettings } from './stream-snapshots.ts';

/**
 * A command produces at most two events, so the events of a full batch fit into one commit. If they have too many bytes
 * for one commit, the batch is split.
 */
const MAX_BATCH = MAX_COMMIT_EVENTS / 2;
const MAX_CONFLICTS = 100;

type Outcomes = DecidedBatch['outcomes'];

export interface StreamQueue {
  /** absent until the stream has been read */
  readonly cached: CachedStream | undefined;
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
  readonly timing?: Timing | undefined;
}

/** Returns a stream's queue. The queue exists only while calls are waiting or running, but `cached` may be kept for longer. */
export function createStreamQueue(settings: StreamQueueSettings, known: CachedStream | undefined): StreamQueue {
  const { stream, decider, log, sealing } = settings;
  const commands = batchRequests<WaitingCommand, Outcome<unknown>>({
    send: (batch) => inTurn(() => decideAll(batch)),
    maxBatchSize: MAX_BATCH,
    maxInFlight: 1,
    // If the batch was too large for one commit or a person's key was missing, nothing was appended.
    sendAlone: (error) => error instanceof InvalidCommit || error instanceof KeyMissing,
  });
  const loads = batchRequests<null, Folded<unknown>>({
    send: (waiting) => inTurn(() => loadAll(waiting)),
    maxBatchSize: Infinity,
    maxInFlight: 1,
  });
  let cached = known;
  let running: Promise<unknown> | undefined;

  /**
   * Runs one batch at a time, so a load waits until a running append has ended. If the store is unavailable, the waiting
   * calls are rejected too, because each of them would only run into the same timeout (CMD7).
   */
  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    while (running) await running.catch(throwIfUnavailable);
    const turn = work();
    running = turn;
    try {
      return await turn;
    } catch (error) {
      if (error instanceof StoreUnavailable) for (const calls of [commands, loads]) calls.rejectWaiting(error);
      throw error;
    } finally {
      running = undefined;
    }
  }

  /** Returns the cached stream. If there is none, returns the stream as of its snapshot, or in its initial state. */
  async function beginning(): Promise<CachedStream> {
    return cached ?? new CachedStream((await findSnapshot(settings)) ?? { state: decider.initialState, version: 0 });
  }

  /** Reads the events that were appended since `seen`, and returns the state after them. */
  function readOn(seen: CachedStream, each?: (event: StoredEvent) => void): Promise<Folded<unknown>> {
    const evolve = (state: unknown, event: RecordedEvent, stored: StoredEvent) => {
      seen.addCause(event.cause);
      each?.(stored);
      return decider.evolve(state, event);
    };
    return foldStream(settings, stream, seen.folded, evolve, decider.opening);
  }

  function keep(seen: CachedStream, folded: Folded<unknown>): void {
    seen.folded = folded;
    cached = seen;
    offerSnapshot(settings, seen);
  }

  /** All waiting loads share one read, so a long stream is folded only once. */
  async function loadAll(waiting: readonly null[]): Promise<Folded<unknown>[]> {
    const seen = await beginning();
    keep(seen, await readOn(seen));
    return waiting.map(() => seen.folded);
  }

  /**
   * Decides the outcomes of the batch's commands. Uses the cached state if possible, and otherwise a state read from
   * the log. If an append conflicts, the state was stale, for example because another process has appended to the
   * stream. In that case, reads the log and decides again (CMD2).
   */
  async function decideAll(batch: readonly WaitingCommand[]): Promise<Outcomes> {
    const onCached = cached && (await decideOnCached(batch, cached));
    if (onCached) return onCached;
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
  async function decideOnCached(batch: readonly WaitingCommand[], seen: CachedStream): Promise<Outcomes | null> {
    if (seen.maybeHandled(causesOf(batch)).length > 0) return null;
    const decided = decideBatch(settings, batch, { folded: seen.folded, recorded: [] });
    // A decision without events may be based on stale state, because the log checks the version only during an append.
    if (decided.events.length === 0) return null;
    return (await append(seen, decided)) ? decided.outcomes : null;
  }

  /** Decides the batch on what is read from the log. Returns null on a conflict. */
  async function decideOnLog(batch: readonly WaitingCommand[]): Promise<Outcomes | null> {
    const seen = await beginning();
    const recorded = await readWithRepeats(seen, causesOf(batch));
    const decided = decideBatch(settings, batch, { folded: seen.folded, recorded });
    return decided.events.length === 0 || (await append(seen, decided)) ? decided.outcomes : null;
  }

  /**
   * Reads the events that were appended since `seen`, and returns all of the stream's events that have one of `causes`.
   * Both reflect the stream at a single version, even if another process appends during the read (CMD3).
   */
  async function readWithRepeats(seen: CachedStream, causes: ReadonlySet<string>): Promise<RecordedEvent[]> {
    const { version } = seen.folded;
    const repeats = seen.maybeHandled(causes);
    const since: StoredEvent[] = [];
    const [found, folded] = await Promise.all([
      repeats.length === 0 ? [] : log.findByCauses(stream, repeats),
      readOn(seen, (event) => {
        if (causes.has(event.cause)) since.push(event);
      }),
    ]);
    keep(seen, folded);
    const before = found.filter((event) => event.streamversion <= version);
    // The personal data in these events is opened (decrypted) even if the fold doesn't need it. Repeated commands are
    // compared with these events, and the next step of a command may be built from them.
    return sealing.openAll([...before, ...since]);
  }

  /** Appends the decided events. Returns false on a conflict. */
  async function append(seen: CachedStream, { folded, events }: DecidedBatch): Promise<boolean> {
    const stored = await sealing.sealAll(events);
    const commit = { id: settings.newId(), stream, expectedVersion: seen.folded.version, events: stored };
    seen.inDoubt = true;
    const result = await appendCommit(log, commit, settings.appendTimeoutMs, settings.timing);
    if (result.kind === 'conflict') return false;
    for (const { cause } of events) seen.addCause(cause);
    keep(seen, folded);
    seen.inDoubt = false;
    settings.onAppended?.(stream, result.version);
    return true;
  }

  return {
    get cached() {
      return cached;
    },
    users: 0,
    execute: (command, meta) => commands({ command, meta }),
    load: () => loads(null),
  };
}

function throwIfUnavailable(error: unknown): void {
  if (error instanceof StoreUnavailable) throw error;
}

const causesOf = (batch: readonly WaitingCommand[]) => new Set(batch.map(({ meta }) => meta.cause));
