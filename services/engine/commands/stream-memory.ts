import type { Folded } from '../log/fold-stream.ts';
import { SeenCauses } from './seen-causes.ts';
import { NO_MARKS, type SnapshotMarks } from './stream-snapshots.ts';

/** What is remembered of a stream between its commands: only what spares a read, so that it may be dropped at any time. */
export class StreamMemory {
  kept: Folded<unknown>;
  readonly seenCauses = new SeenCauses();
  readonly snapshots: SnapshotMarks = { ...NO_MARKS };
  /** the stream's snapshot was looked for */
  begun = false;
  /** what is kept is likely to be new: read by any caller of load() since the last batch, or of a stream that is unshared */
  fresh = false;
  /** an append is under way, or its outcome is unknown and the log was not read since: what is kept may be old */
  inDoubt = false;

  constructor(initialState: unknown) {
    this.kept = { state: initialState, version: 0 };
  }

  /** About; a state grows with its events, and so do their causes. */
  get bytes(): number {
    return 1_500 + 150 * this.seenCauses.size;
  }
}
