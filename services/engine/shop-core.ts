import type { Projection } from '../contracts/projection.ts';
import type { CommandHandler } from './commands/command-handler.ts';
import type { EventLog } from './log/event-log.ts';
import type { Sealing } from './log/sealing.ts';
import type { ReadModels } from './read-models/read-models.ts';

export interface ShopCore {
  readonly log: EventLog;
  readonly sealing: Sealing;
  readonly readModels: ReadModels;
  readonly projection: Projection;
  readonly handler: CommandHandler;
  /** Removes from the disk what was overwritten, as far as the store allows (ERASE1). */
  wipe(): Promise<void>;
}
