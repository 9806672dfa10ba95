import type { DomainEvent, RecordedEvent } from '../contracts/events.ts';
import type { StreamName } from '../contracts/ids.ts';
import type { Decider } from '../domain/decider.ts';
import {
  AppendOutcomeUnknown,
  type Commit,
  type EventLog,
  InvalidCommit,
  MAX_COMMIT_EVENTS,
} from '../event-log/event-log.ts';
import { type Folded, foldStream } from '../event-log/fold-stream.ts';
import type { Sealing } from '../event-log/sealing.ts';
import type { CommandMeta, Outcome } from './command.ts';
import { attributesOf } from './event-attributes.ts';

/** The most commands decided for one append: no command yields more than two events, so a batch fits one commit. */
const MAX_BATCH = MAX_COMMIT_EVENTS / 2;
const MAX_CONFLICTS = 100;
const MAX_UNKNOWN_OUTCOMES = 8;

interface Waiting {
  readonly command: unknown;
  readonly meta: CommandMeta;
  readonly resolve: (outcome: Outcome<unknown>) => void;
  readonly reject: (error: unknown) => void;
}

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
}

/** Decides the commands of one stream, in order, in batches; keeps the folded state between batches. */
export function createStreamQueue(settings: StreamQueueSettings): StreamQueue {
  const { stream, decider, log } = settings;
  const evolve = decider.evolve.bind(decider) as (state: unknown, event: DomainEvent) => unknown;
  const waiting: Waiting[] = [];
  let running = false;
  let kept: Folded<unknown> = { state: decider.initialState, version: 0 };

  async function refresh(): Promise<Folded<unknown>> {
    const folded = await foldStream(settings, stream, kept, evolve);
    if (folded.version > kept.version) kept = folded;
    return kept;
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

  async function runBatch(batch: readonly Waiting[]): Promise<void> {
    try {
      await decideBatch(batch);
    } catch (error) {
      if (error instanceof InvalidCommit && batch.length > 1) {
        // Too large together: nothing was appended, and each may well fit alone.
        const half = Math.ceil(batch.length / 2);
        await runBatch(batch.slice(0, half));
        await runBatch(batch.slice(half));
      } else {
        for (const one of batch) one.reject(error);
      }
    }
  }

  async function decideBatch(batch: readonly Waiting[]): Promise<void> {
    for (let conflicts = 0; conflicts < MAX_CONFLICTS; conflicts += 1) {
      if (kept.version === 0 || conflicts > 0) await refresh();
      const decided = await decideAll(batch);
      if (await settle(decided)) return;
    }
    throw new Error(`${stream}: ${MAX_CONFLICTS} conflicts in a row.`);
  }

  /** Appends what was decided; false where the decision rests on an old state and has to be made again (CMD2). */
  async function settle({ from, to, events, outcomes }: Decided): Promise<boolean> {
    if (events.length === 0) {
      if ((await log.head(stream)) !== from.version) return false;
    } else {
      const stored = await settings.sealing.sealAll(events);
      const result = await appendKnown({ id: settings.newId(), stream, expectedVersion: from.version, events: stored });
      if (result.kind === 'conflict') return false;
      settings.onAppended?.(stream, result.version);
    }
    kept = to;
    for (const answer of outcomes) answer();
    return true;
  }

  interface Decided {
    readonly from: Folded<unknown>;
    readonly to: Folded<unknown>;
    readonly events: readonly RecordedEvent[];
    /** each answers one command; to be called once the events are durable */
    readonly outcomes: readonly (() => void)[];
  }

  async function decideAll(batch: readonly Waiting[]): Promise<Decided> {
    const from = kept;
    let { state, version } = from;
    const events: RecordedEvent[] = [];
    const recorded = await priorEvents(batch, from.version);
    /** One command's part of the batch; a decider that throws leaves state and events as they were. */
    function decideOne({ command, meta }: Waiting): Outcome<unknown> {
      const prior = recorded.get(meta.cause) ?? [];
      const decision = decider.decide(command, state, { version, prior });
      if (decision.kind === 'refused') return decision;
      const fresh = decision.events.map((event, index) => {
        const attributes = attributesOf(meta, stream, version + index + 1, settings.newId());
        return { ...attributes, ...event } as RecordedEvent;
      });
      state = fresh.reduce<unknown>(evolve, state);
      version += fresh.length;
      events.push(...fresh);
      if (fresh.length > 0) recorded.set(meta.cause, [...prior, ...fresh]);
      return { kind: 'done', state, version, events: fresh, prior };
    }

    const outcomes = batch.map((one) => {
      try {
        const outcome = decideOne(one);
        return () => one.resolve(outcome);
      } catch (error) {
        // It fails alone: those beside it are other people's.
        return () => one.reject(error);
      }
    });
    return { from, to: { state, version }, events, outcomes };
  }

  async function priorEvents(batch: readonly Waiting[], version: number): Promise<Map<string, RecordedEvent[]>> {
    const found = new Map<string, RecordedEvent[]>();
    if (version === 0) return found;
    for (const cause of new Set(batch.map((one) => one.meta.cause))) {
      const events = await log.findByCause(stream, cause);
      if (events.length > 0) found.set(cause, await settings.sealing.openAll(events));
    }
    return found;
  }

  /** After an unknown outcome the same commit is tried again, never a new one (LOG2). */
  async function appendKnown(commit: Commit) {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await log.append(commit);
      } catch (error) {
        if (!(error instanceof AppendOutcomeUnknown) || attempt === MAX_UNKNOWN_OUTCOMES) throw error;
        await new Promise((resolve) => setTimeout(resolve, 25 * 2 ** attempt));
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
      return (await log.head(stream)) === kept.version ? kept : refresh();
    },
  };
}
