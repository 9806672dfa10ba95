import type { Decider } from '../../contracts/decider.ts';
import type { EventAttributes } from '../../contracts/events.ts';
import type { StreamName } from '../../contracts/ids.ts';
import { StoreUnavailable } from '../../runtime/store-unavailable.ts';
import type { EventLog } from '../log/event-log.ts';
import type { Folded } from '../log/fold-stream.ts';
import type { Snapshot, Snapshots } from '../log/snapshots.ts';

/** The default number of events between two snapshots. Folding that many events takes a few milliseconds. */
const EVERY = 100;

export interface SnapshotSettings {
  readonly store: Snapshots;
  readonly onError: (error: unknown) => void;
  readonly every?: number;
}

/** The snapshots of one stream. A snapshot may be missing, stale or wrong, so it is checked against the log before use (LOG7). */
export interface StreamSnapshots {
  /** Returns the snapshot's state, or null if there is no snapshot that matches both the log and the current fold. */
  find(): Promise<Folded<unknown> | null>;
  /** Records the newest event of the stream. Older events are ignored. */
  folded(event: Pick<EventAttributes, 'id' | 'streamversion'>): void;
  /**
   * Saves the state in the next turn of the event loop, if the newest snapshot is at least `every` versions older than
   * the state.
   */
  offer(state: Folded<unknown>): void;
}

/** The newest event seen on a stream, and the version of the stream's newest snapshot. */
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

  /** Returns whether the log contains the snapshot's last event. A log restored from an older backup may lack this event. */
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

  /**
   * Reports an error and returns. The caller then reads the stream from the log. If the store is unavailable, throws
   * the error instead, because reading the log would only run into another timeout (CMD7).
   */
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
