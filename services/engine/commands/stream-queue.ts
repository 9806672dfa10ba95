import { setTimeout as timeout } from 'node:timers/promises';
import type { Decider } from '../../contracts/decider.ts';
import type { RecordedEvent, StoredEvent } from '../../contracts/events.ts';
import type { StreamName } from '../../contracts/ids.ts';
import { StoreUnavailable, within } from '../../runtime/store-unavailable.ts';
import {
  AppendOutcomeUnknown,
  type AppendResult,
  type Commit,
  type EventLog,
  InvalidCommit,
  MAX_COMMIT_EVENTS,
} from '../log/event-log.ts';
import { type Folded, foldStream } from '../log/fold-stream.ts';
import { KeyMissing } from '../log/key-vault.ts';
import type { Sealing } from '../log/sealing.ts';
import type { CommandMeta, Outcome } from './command.ts';
import { decideBatch, type SeenStream, type WaitingCommand } from './decide-batch.ts';
import { createSeenCauses } from './seen-causes.ts';
import { createStreamSnapshots, type SnapshotSettings } from './stream-snapshots.ts';

/** The most commands decided for one append: no command yields more than two events, so a batch fits one commit. */
const MAX_BATCH = MAX_COMMIT_EVENTS / 2;
const MAX_CONFLICTS = 100;
/** Between two tries of one append, in ms: the pause doubles up to the longest. */
const FIRST_PAUSE = 25;
const LONGEST_PAUSE = 250;

export interface StreamQueue {
  /** callers that hold this queue; kept by the command handler */
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
  readonly onAppended?: (stream: StreamName, version: number) => void;
  readonly snapshots?: SnapshotSettings;
  /** the longest that one append is tried, in ms */
  readonly appendTimeoutMs: number;
}

/** Decides the commands of one stream, in order, in batches; keeps the folded state between batches. */
export function createStreamQueue(settings: StreamQueueSettings): StreamQueue {
  const { stream, decider, log } = settings;
  const evolve = decider.evolve.bind(decider);
  const snapshots = createStreamSnapshots(settings);
  const waiting: WaitingCommand[] = [];
  const seenCauses = createSeenCauses();
  let running = false;
  let kept: Folded<unknown> = { state: decider.initialState, version: 0 };
  let loaded = false;
  let beginning: Promise<void> | null = null;

  function keep(folded: Folded<unknown>): void {
    if (folded.version > kept.version) kept = folded;
    snapshots.offer(kept);
  }

  /** Folds what the log holds after a state; `each` is told of every event. */
  function foldFrom(from: Folded<unknown>, each?: (event: StoredEvent) => void): Promise<Folded<unknown>> {
    const fold = (state: unknown, event: RecordedEvent, stored: StoredEvent) => {
      seenCauses.add(event.cause);
      snapshots.folded(event);
      each?.(stored);
      return evolve(state, event);
    };
    return foldStream(settings, stream, from, fold, decider.opening);
  }

  /** The first one in takes a snapshot, where one is kept, and folds what follows it; the others wait for that. */
  function begin(): Promise<void> | null {
    if (!decider.snapshot || !settings.snapshots) return null;
    beginning ??= beginFromSnapshot().catch((error: unknown) => {
      beginning = null;
      throw error;
    });
    return beginning;
  }

  async function beginFromSnapshot(): Promise<void> {
    const found = await snapshots.find();
    if (found) seenCauses.forget();
    keep(await foldFrom(found ?? kept));
  }

  async function run(): Promise<void> {
    running = true;
    // A turn of the event loop lets commands that arrive together be decided together.
    await new Promise(setImmediate);
    while (waiting.length > 0) {
      await runBatch(waiting.splice(0, MAX_BATCH));
    }
    running = false;
  }

  async function runBatch(batch: readonly WaitingCommand[]): Promise<void> {
    try {
      await takeBatch(batch);
    } catch (error) {
      if (batch.length > 1 && (error instanceof InvalidCommit || error instanceof KeyMissing)) {
        // Nothing was appended: too large together, each may well fit alone; and the key of one person may be missing.
        const half = Math.ceil(batch.length / 2);
        await runBatch(batch.slice(0, half));
        await runBatch(batch.slice(half));
      } else {
        for (const one of batch) one.reject(error);
        // What waits behind a lost store would only wait longer (CMD7).
        if (error instanceof StoreUnavailable) for (const one of waiting.splice(0)) one.reject(error);
      }
    }
  }

  /**
   * Decides on what the log holds by now, and again where another process has appended in between (CMD2). On a stream that
   * was just loaded the first try takes the kept state for that: its append is a conflict where it was not, and an answer
   * without an append is given on what was read alone.
   */
  async function takeBatch(batch: readonly WaitingCommand[]): Promise<void> {
    let guess = loaded && seenCauses.among(causesOf(batch)).length === 0;
    loaded = false;
    for (let tries = 0; tries < MAX_CONFLICTS; tries += 1) {
      const seen: SeenStream = guess ? { folded: kept, recorded: [] } : await read(batch);
      const { to, events, answers } = decideBatch(settings, batch, seen);
      if (events.length > 0 ? await append(seen.folded.version, events) : !guess) {
        for (const event of events) {
          seenCauses.add(event.cause);
          snapshots.folded(event);
        }
        keep(to);
        for (const answer of answers) answer();
        return;
      }
      guess = false;
    }
    throw new Error(`${stream}: ${MAX_CONFLICTS} conflicts in a row.`);
  }

  /**
   * Asks at once for what has been appended since the kept state, most often by others, and, where a cause comes again, for
   * what it has yielded before: together that is the stream at one moment (CMD3).
   */
  async function read(batch: readonly WaitingCommand[]): Promise<SeenStream> {
    await begin();
    const from = kept;
    const causes = causesOf(batch);
    const repeated = seenCauses.among(causes);
    const since: StoredEvent[] = [];
    const [found, folded] = await Promise.all([
      repeated.length === 0 ? [] : log.findByCauses(stream, repeated),
      foldFrom(from, (event) => {
        if (causes.has(event.cause)) since.push(event);
      }),
    ]);
    keep(folded);
    const before = found.filter((event) => event.streamversion <= from.version);
    // Whole, whatever the fold opens: a repeat is compared with, and an order built from, what was recorded.
    return { folded, recorded: await settings.sealing.openAll([...before, ...since]) };
  }

  /** False where another process has appended since the state that the events rest on. */
  async function append(expectedVersion: number, events: readonly RecordedEvent[]): Promise<boolean> {
    const stored = await settings.sealing.sealAll(events);
    const result = await appendKnown({ id: settings.newId(), stream, expectedVersion, events: stored });
    if (result.kind === 'conflict') return false;
    settings.onAppended?.(stream, result.version);
    return true;
  }

  /**
   * After an unknown outcome the same commit is tried again, never a new one (LOG2), for as long as a caller waits (CMD7).
   * @throws AppendOutcomeUnknown
   */
  function appendKnown(commit: Commit): Promise<AppendResult> {
    const late = () => new AppendOutcomeUnknown(`Commit ${commit.id} was not acknowledged in time.`);
    return within(settings.appendTimeoutMs, (expired) => appendUntil(expired, commit), late);
  }

  async function appendUntil(expired: () => boolean, commit: Commit): Promise<AppendResult> {
    for (let pause = FIRST_PAUSE; ; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
      try {
        return await log.append(commit);
      } catch (error) {
        if (!(error instanceof AppendOutcomeUnknown) || expired()) throw error;
        await timeout(pause);
        if (expired()) throw error;
      }
    }
  }

  return {
    users: 0,
    execute(command, meta) {
      return new Promise((resolve, reject) => {
        waiting.push({ command, meta, resolve, reject });
        if (!running) void run();
      });
    },
    async load() {
      await begin();
      keep(await foldFrom(kept));
      loaded = true;
      return kept;
    },
  };
}

const causesOf = (batch: readonly WaitingCommand[]) => new Set(batch.map(({ meta }) => meta.cause));
