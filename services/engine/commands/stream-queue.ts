import type { Decider } from '../../contracts/decider.ts';
import type { RecordedEvent, StoredEvent } from '../../contracts/events.ts';
import type { StreamName } from '../../contracts/ids.ts';
import { StoreUnavailable } from '../../runtime/store-unavailable.ts';
import { type EventLog, InvalidCommit, MAX_COMMIT_EVENTS } from '../log/event-log.ts';
import { type Folded, foldStream } from '../log/fold-stream.ts';
import { KeyMissing } from '../log/key-vault.ts';
import type { Sealing } from '../log/sealing.ts';
import { appendCommit } from './append-commit.ts';
import type { CommandMeta, Outcome } from './command.ts';
import { type DecidedBatch, decideBatch, type SeenStream, type WaitingCommand } from './decide-batch.ts';
import { createSeenCauses } from './seen-causes.ts';
import { createStreamSnapshots, type SnapshotSettings } from './stream-snapshots.ts';

/** Commands per append: none yields more than two events, so a batch fits one commit. */
const MAX_BATCH = MAX_COMMIT_EVENTS / 2;
const MAX_CONFLICTS = 100;

export interface StreamQueue {
  /** how many callers hold this queue; maintained by the command handler */
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

  /** Folds the log's events after a state; `each` is called with every one. */
  function foldFrom(from: Folded<unknown>, each?: (event: StoredEvent) => void): Promise<Folded<unknown>> {
    const fold = (state: unknown, event: RecordedEvent, stored: StoredEvent) => {
      seenCauses.add(event.cause);
      snapshots.folded(event);
      each?.(stored);
      return evolve(state, event);
    };
    return foldStream(settings, stream, from, fold, decider.opening);
  }

  /** The first caller takes a snapshot, where one is kept, and folds what follows it; the others wait for that. */
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
        // Nothing was appended: the batch may be too large for one commit, or one person's key may be missing.
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
   * Decides a batch on the stream as the log has it, and again where another process has appended in between (CMD2). Right
   * after a load the first try decides on the kept state without reading again. Its append conflicts where that state was
   * old; a decision without events proves nothing, and is made again on what is read.
   */
  async function takeBatch(batch: readonly WaitingCommand[]): Promise<void> {
    let unread = loaded && seenCauses.among(causesOf(batch)).length === 0;
    loaded = false;
    for (let tries = 0; tries < MAX_CONFLICTS; tries += 1) {
      const seen: SeenStream = unread ? { folded: kept, recorded: [] } : await read(batch);
      const decided = decideBatch(settings, batch, seen);
      const stands = decided.events.length === 0 ? !unread : await append(seen.folded.version, decided.events);
      if (stands) {
        answer(decided);
        return;
      }
      unread = false;
    }
    throw new Error(`${stream}: ${MAX_CONFLICTS} conflicts in a row.`);
  }

  function answer({ to, events, answers }: DecidedBatch): void {
    for (const event of events) {
      seenCauses.add(event.cause);
      snapshots.folded(event);
    }
    keep(to);
    for (const answerOne of answers) answerOne();
  }

  /**
   * Reads what has been appended since the kept state, most often by other processes, and, where a cause is repeated, the
   * events that it has yielded before. Together that is the stream at one moment (CMD3).
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
    // Opened whole, whatever the fold opens: a repeat is compared with these events, and an order is built from them.
    return { folded, recorded: await settings.sealing.openAll([...before, ...since]) };
  }

  /** False if another process has appended since the state that the events were decided on. */
  async function append(expectedVersion: number, events: readonly RecordedEvent[]): Promise<boolean> {
    const stored = await settings.sealing.sealAll(events);
    const result = await appendCommit(
      log,
      { id: settings.newId(), stream, expectedVersion, events: stored },
      settings.appendTimeoutMs,
    );
    if (result.kind === 'conflict') return false;
    settings.onAppended?.(stream, result.version);
    return true;
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
