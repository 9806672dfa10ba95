import type { CommandHandler } from '../../command-handler/command-handler.ts';
import type { EventLog } from '../../event-log/event-log.ts';
import type { Sealing } from '../../event-log/sealing.ts';
import type { ReadModels } from '../../read-models/read-models.ts';

/** The log, the read models made from it, and the commands that append to it: what every part of a shop stands on. */
export interface ShopCore {
  readonly log: EventLog;
  readonly sealing: Sealing;
  readonly readModels: ReadModels;
  readonly handler: CommandHandler;
  /** Leaves nothing on the disk of what was overwritten, as far as the store lets go of it (ERASE1). */
  wipe(): Promise<void>;
}
