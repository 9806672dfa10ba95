import type { Folded } from '../log/fold-stream.ts';
import { HandledCauses } from './handled-causes.ts';
import { NO_MARKS, type SnapshotMarks } from './stream-snapshots.ts';

/** The data cached about a stream between commands. It only saves reads, so it may be dropped at any time. */
export class StreamMemory {
  /** the newest known state, or null until the stream has been read */
  kept: Folded<unknown> | null = null;
  readonly handledCauses = new HandledCauses();
  readonly snapshots: SnapshotMarks = { ...NO_MARKS };
  /** True while an append is under way, or after one failed or conflicted. The log may then be ahead of `kept`. */
  inDoubt = false;

  /** An estimate. The size of the state isn't measured, but it grows with the number of events, as the number of causes does. */
  get bytes(): number {
    return 1_500 + 150 * this.handledCauses.size;
  }
}
