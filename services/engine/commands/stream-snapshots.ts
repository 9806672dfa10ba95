import type { Decider } from '../../contracts/decider.ts';
import type { EventAttributes } from '../../contracts/events.ts';
import type { StreamName } from '../../contracts/ids.ts';
import { StoreUnavailable } from '../../runtime/store-unavailable.ts';
import type { EventLog } from '../log/event-log.ts';
import type { Folded } from '../log/fold-stream.ts';
import type { Snapshot, Snapshots } from '../log/snapshots.ts';

/** Folding this many events takes a few milliseconds. */
const EVERY = 100;

export interface SnapshotSettings {
  readonly store: Snapshots;
  readonly onError: (error: unknown) => void;
  readonly every?: number;
}

/** Any snapshot may be missing, old or wrong: the log decides (LOG7). */
export interface StreamSnapshots {
  /** Null where there is none that the log agrees with. */
  find(): Promise<Folded<unknown> | null>;
  /** Notes the newest event of the stream. Older events change nothing. */
  folded(event: Pick<EventAttributes, 'id' | 'streamversion'>): void;
  /** Keeps a state now and then, after this turn of the event loop. */
  offer(state: Folded<unknown>): void;
}

/** What is remembered of a stream's snapshots. */
export interface SnapshotMarks {
  newest: Pick<EventAttributes, 'id' | 'streamversion'>;
  /** the version of the newest snapshot */
  keptAt: number;
}

export const NO_MARKS: Readonly<SnapshotMarks> = { newest: { id: '', streamversion: 0 }, keptAt: 0 };

const NO_SNAPSHOTS: StreamSnapshots = { find: async () => null, folded: () => {}, offer: () => {} };

export function createStreamSnapshots(
  {
    stream,
    decider: { snapshot: kind },
    log,
    snapshots,
  }: {
    readonly stream: StreamName;
    readonly decider: Pick<Decider<unknown, unknown>, 'snapshot'>;
    readonly log: Pick<EventLog, 'readStream'>;
    readonly snapshots?: SnapshotSettings;
  },
  marks: SnapshotMarks,
): StreamSnapshots {
  if (!kind || !snapshots) return NO_SNAPSHOTS;
  const { store, onError, every = EVERY } = snapshots;

  /** A snapshot restored from a backup may end with an event that the log lacks. */
  async function isInLog({ version, event }: Snapshot): Promise<boolean> {
    const [last] = await log.readStream(stream, version - 1, 1);
    return last?.streamversion === version && last.id === event;
  }

  async function keep(snapshot: Snapshot): Promise<void> {
    try {
      await store.keep(snapshot);
    } catch (error) {
      onError(error);
    }
  }

  /** Where the store is lost, reading the log would only wait a second time (CMD7). */
  function tell(error: unknown): void {
    if (error instanceof StoreUnavailable) throw error;
    onError(error);
  }

  return {
    async find() {
      const found = await store.find(stream).catch(tell);
      const state = found?.fold === kind.fold ? kind.parse(found.state) : null;
      if (!found || state === null || !(await isInLog(found))) return null;
      marks.newest = { id: found.event, streamversion: found.version };
      marks.keptAt = found.version;
      return { state, version: found.version };
    },
    folded({ id, streamversion }) {
      if (streamversion > marks.newest.streamversion) marks.newest = { id, streamversion };
    },
    offer({ state, version }) {
      if (version - marks.keptAt < every || version !== marks.newest.streamversion) return;
      marks.keptAt = version;
      const { id: event } = marks.newest;
      setImmediate(() => void keep({ stream, fold: kind.fold, version, event, state }));
    },
  };
}
