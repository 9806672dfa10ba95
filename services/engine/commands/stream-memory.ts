import type { Folded } from '../log/fold-stream.ts';
import { HandledCauses } from './handled-causes.ts';
import { NO_MARKS, type SnapshotMarks } from './stream-snapshots.ts';

/** The data cached about a stream between commands. It only saves reads, so it may be dropped at any time. */
export class StreamMemory {
  /** the newest known state, or null until the stream has been read */
  kept: Folded<unknown> | null = null;
  readonly handledCauses = new HandledCauses();
  readonly snapshots: SnapshotMarks = { ...NO_MARKS };
  /** True from the start of an append until an append succeeds. Meanwhile, the log may be ahead of `kept`. */
  inDoubt = false;

  /**
   * The estimated size. It is based on the number of causes, which grows with the number of events, as the state does.
   * The state itself isn't measured.
   */
  get bytes(): number {
    return 1_500 + 150 * this.handledCauses.size;
  }
}
