import { z } from 'zod';
import { type StreamName, streamNameSchema } from '../../contracts/ids.ts';

/** A snapshot is the state of a stream at one version, without personal data. It may be deleted at any time (LOG7). */
export const snapshotSchema = z.object({
  stream: streamNameSchema,
  /**
   * The version of the fold that produced the state. The snapshot is ignored if the current fold has a different
   * version.
   */
  fold: z.number().int(),
  version: z.number().int().positive(),
  event: z.string().min(1),
  state: z.unknown(),
});
export type Snapshot = Readonly<z.infer<typeof snapshotSchema>>;

/** Stores at most one snapshot per stream. A snapshot that can't be read counts as missing. */
export interface Snapshots {
  find(stream: StreamName): Promise<Snapshot | null>;
  keep(snapshot: Snapshot): Promise<void>;
  clear(): Promise<void>;
}
