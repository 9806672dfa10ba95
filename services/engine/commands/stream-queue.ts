import type { Decider } from '../../contracts/decider.ts';
import type { RecordedEvent, StoredEvent } from '../../contracts/events.ts';
import type { StreamName } from '../../contracts/ids.ts';
import { batchRequests } from '../../runtime/batch-requests.ts';
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

/** No command yields more than two events, so a batch fits one commit. */
const MAX_BATCH = MAX_COMMIT_EVENTS / 2;
const MAX_CONFLICTS = 100;

type Outcomes = DecidedBatch['outcomes'];

export interface StreamQueue {
  readonly memory: StreamMemory;
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
  readonly appendTimeoutMs: number;
  readonly soleWriter?: boolean;
}

/** Lives while commands are waiting or under way; `memory` outlives it. */
export function createStreamQueue(settings: StreamQueueSettings, memory: StreamMemory): StreamQueue {
  const { stream, decider, log } = settings;
  const { seenCauses } = memory;
  const evolve = decider.evolve.bind(decider);
  const snapshots = createStreamSnapshots(settings, memory.snapshots);
  const batched = batchRequests({ send: decideAll, maxBatchSize: MAX_BATCH, maxInFlight: 1 });
  let beginning: Promise<void> | null = null;

  function keep(folded: Folded<unknown>): void {
    if (folded.version > memory.kept.version) memory.kept = folded;
    snapshots.offer(memory.kept);
  }

  function foldFrom(from: Folded<unknown>, each?: (event: StoredEvent) => void): Promise<Folded<unknown>> {
    const fold = (state: unknown, event: RecordedEvent, stored: StoredEvent) => {
      seenCauses.add(event.cause);
      snapshots.folded(event);
      each?.(stored);
      return evolve(state, event);
    };
    return foldStream(settings, stream, from, fold, decider.opening);
  }

  /** The first caller takes the snapshot, if there is one, and folds what follows it; the others wait for that. */
  function begin(): Promise<void> | null {
    if (!decider.snapshot || !settings.snapshots || memory.begun) return null;
    beginning ??= beginFromSnapshot().catch((error: unknown) => {
      beginning = null;
      throw error;
    });
    return beginning;
  }

  async function beginFromSnapshot(): Promise<void> {
    const found = await snapshots.find();
    if (found) seenCauses.forget();
    keep(await foldFrom(found ?? memory.kept));
    memory.begun = true;
  }

  async function decideAll(batch: readonly WaitingCommand[]): Promise<Outcomes> {
    try {
      return await decideTogether(batch);
    } catch (error) {
      if (batch.length > 1 && (error instanceof InvalidCommit || error instanceof KeyMissing)) {
        // Nothing was appended: the batch may be too large for one commit, or one person's key may be missing.
        const half = Math.ceil(batch.length / 2);
        return [...(await decideAll(batch.slice(0, half))), ...(await decideAll(batch.slice(half)))];
      }
      // What waits behind a lost store would only wait longer (CMD7).
      if (error instanceof StoreUnavailable) batched.rejectWaiting(error);
      return batch.map(() => error as Error);
    }
  }

  /** Decides again where another process has appended in between (CMD2). */
  async function decideTogether(batch: readonly WaitingCommand[]): Promise<Outcomes> {
    const isNew = memory.fresh || (settings.soleWriter === true && memory.kept.version > 0);
    const tryKept = isNew && seenCauses.among(causesOf(batch)).length === 0;
    memory.fresh = false;
    const onKept = tryKept ? await decideOnKept(batch) : null;
    if (onKept) return onKept;
    for (let tries = 0; tries < MAX_CONFLICTS; tries += 1) {
      const outcomes = await decideOnLog(batch);
      if (outcomes) return outcomes;
    }
    throw new Error(`${stream}: ${MAX_CONFLICTS} conflicts in a row.`);
  }

  /** Saves a read. Null if the append conflicts, as it does on an old state, or if there is none to show whether it is old. */
  async function decideOnKept(batch: readonly WaitingCommand[]): Promise<Outcomes | null> {
    const { kept } = memory;
    const decided = decideBatch(settings, batch, { folded: kept, recorded: [] });
    return decided.events.length > 0 && (await append(kept.version, decided)) ? decided.outcomes : null;
  }

  async function decideOnLog(batch: readonly WaitingCommand[]): Promise<Outcomes | null> {
    const seen = await read(batch);
    const decided = decideBatch(settings, batch, seen);
    return decided.events.length === 0 || (await append(seen.folded.version, decided)) ? decided.outcomes : null;
  }

  /** Reads what was appended since the kept state and what repeated causes yielded before: the stream at one moment (CMD3). */
  async function read(batch: readonly WaitingCommand[]): Promise<SeenStream> {
    await begin();
    const from = memory.kept;
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
    // Opened in full, whatever the fold needs: a repeat is compared with these events, and an order is built from them.
    return { folded, recorded: await settings.sealing.openAll([...before, ...since]) };
  }

  async function append(expectedVersion: number, { to, events }: DecidedBatch): Promise<boolean> {
    const stored = await settings.sealing.sealAll(events);
    const commit = { id: settings.newId(), stream, expectedVersion, events: stored };
    memory.inDoubt = true;
    const result = await appendCommit(log, commit, settings.appendTimeoutMs);
    if (result.kind === 'conflict') return false;
    for (const event of events) {
      seenCauses.add(event.cause);
      snapshots.folded(event);
    }
    keep(to);
    memory.inDoubt = false;
    settings.onAppended?.(stream, result.version);
    return true;
  }

  return {
    memory,
    users: 0,
    execute: (command, meta) => batched({ command, meta }),
    async load() {
      if (settings.soleWriter && memory.kept.version > 0 && !memory.inDoubt) return memory.kept;
      await begin();
      keep(await foldFrom(memory.kept));
      memory.fresh = true;
      return memory.kept;
    },
  };
}

const causesOf = (batch: readonly WaitingCommand[]) => new Set(batch.map(({ meta }) => meta.cause));
