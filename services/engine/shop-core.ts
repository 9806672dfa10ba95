import type { Projection } from '../contracts/projection.ts';
import type { CommandHandler } from './commands/command-handler.ts';
import type { EventLog } from './log/event-log.ts';
import type { Sealing } from './log/sealing.ts';
import type { ReadModels } from './read-models/read-models.ts';

/** The log, the read models made from it, and the commands that append to it: what every part of a shop stands on. */
export interface ShopCore {
  readonly log: EventLog;
  readonly sealing: Sealing;
  readonly readModels: ReadModels;
  readonly projection: Projection;
  readonly handler: CommandHandler;
  /** Leaves nothing on the disk of what was overwritten, as far as the store lets go of it (ERASE1). */
  wipe(): Promise<void>;
}
