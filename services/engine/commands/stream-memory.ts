import type { Folded } from '../log/fold-stream.ts';
import { HandledCauses } from './handled-causes.ts';
import { NO_MARKS, type SnapshotMarks } from './stream-snapshots.ts';

/** Data about a stream, cached between commands to avoid reads. It may be dropped at any time. */
export class StreamMemory {
  /** the newest known state, or null until the stream has been read */
  kept: Folded<unknown> | null = null;
  readonly handledCauses = new HandledCauses();
  readonly snapshots: SnapshotMarks = { ...NO_MARKS };
  /**
   * True from the start of an append until that append or a later one succeeds. Meanwhile, the log may be ahead of
   * `kept`.
   */
  inDoubt = false;

  /**
   * The estimated size, in bytes. The state itself isn't measured. Both the state and the number of causes grow with
   * the number of events, so the estimate is based on the number of causes.
   */
  get bytes(): number {
    return 1_500 + 150 * this.handledCauses.size;
  }
}
