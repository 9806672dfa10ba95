import type { Decider } from '../../contracts/decider.ts';
import type { StreamName } from '../../contracts/ids.ts';
import { StoreUnavailable } from '../../runtime/store-unavailable.ts';
import type { EventLog } from '../log/event-log.ts';
import type { Folded } from '../log/fold-stream.ts';
import type { Snapshots } from '../log/snapshots.ts';
import type { CachedStream } from './cached-stream.ts';

/** The default number of events between two snapshots. Folding that many events takes a few milliseconds. */
const EVERY = 100;

export interface SnapshotSettings {
  readonly store: Snapshots;
  readonly onError: (error: unknown) => void;
  readonly every?: number;
}

interface Source {
  readonly stream: StreamName;
  readonly decider: Pick<Decider<unknown, unknown>, 'snapshot'>;
  readonly log: Pick<EventLog, 'readStream'>;
  readonly snapshots?: SnapshotSettings;
}

/**
 * Returns the state of the stream's newest snapshot. Returns null if there is no snapshot that matches both the log and
 * the current fold, because a snapshot may be missing, stale or wrong (LOG7).
 * @throws StoreUnavailable, because reading the log instead would only run into another timeout (CMD7)
 */
export async function findSnapshot({ stream, decider, log, snapshots }: Source): Promise<Folded<unknown> | null> {
  const kind = decider.snapshot;
  if (!kind || !snapshots) return null;
  const found = await snapshots.store.find(stream).catch((error) => {
    if (error instanceof StoreUnavailable) throw error;
    snapshots.onError(error);
  });
  const state = found?.fold === kind.fold ? kind.parse(found.state) : null;
  if (!found || state === null) return null;
  // A log that was restored from an older backup may lack the snapshot's last event.
  const isInLog = (await eventAt(log, stream, found.version)) === found.event;
  return isInLog ? { state, version: found.version } : null;
}

/**
 * Saves the cached state in the next turn of the event loop, if the newest snapshot is at least `every` versions older
 * than the state.
 */
export function offerSnapshot({ stream, decider, log, snapshots }: Source, cached: CachedStream): void {
  const kind = decider.snapshot;
  if (!kind || !snapshots) return;
  const { store, onError, every = EVERY } = snapshots;
  const { state, version } = cached.folded;
  if (version - cached.snapshotVersion < every) return;
  cached.snapshotVersion = version;
  const save = async () => {
    const event = await eventAt(log, stream, version);
    if (event) await store.keep({ stream, fold: kind.fold, version, event, state });
  };
  setImmediate(() => void save().catch(onError));
}

/** Returns the id of the stream's event at a version. */
async function eventAt(log: Pick<EventLog, 'readStream'>, stream: StreamName, version: number) {
  const [event] = await log.readStream(stream, version - 1, 1);
  return event?.streamversion === version ? event.id : null;
}
