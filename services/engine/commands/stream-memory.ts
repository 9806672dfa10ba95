import type { Folded } from '../log/fold-stream.ts';
import { HandledCauses } from './handled-causes.ts';
import { NO_MARKS, type SnapshotMarks } from './stream-snapshots.ts';

/** What is remembered of a stream between its commands: only what spares a read, so that it may be dropped at any time. */
export class StreamMemory {
  /** the newest state that is known; null until the stream was read */
  kept: Folded<unknown> | null = null;
  readonly handledCauses = new HandledCauses();
  readonly snapshots: SnapshotMarks = { ...NO_MARKS };
  /** True while an append is under way, or after one failed or conflicted. The log may then be further than `kept`. */
  inDoubt = false;

  /** An estimate: a state grows with its events, and so do their causes. */
  get bytes(): number {
    return 1_500 + 150 * this.handledCauses.size;
  }
}
