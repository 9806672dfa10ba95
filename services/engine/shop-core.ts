import { randomUUID } from 'node:crypto';
import type { Logger } from '../runtime/log.ts';
import { type CommandHandler, type CommandHandlerSettings, createCommandHandler } from './commands/command-handler.ts';
import type { EventLog } from './log/event-log.ts';
import type { KeyVault } from './log/key-vault.ts';
import { createSealing, type Sealing, type SealingOptions } from './log/sealing.ts';
import type { Snapshots } from './log/snapshots.ts';
import type { Projection } from './projector/projection.ts';
import type { ReadModels } from './read-models/read-models.ts';

interface Stores {
  readonly log: EventLog;
  readonly vault: KeyVault;
  readonly readModels: ReadModels;
  readonly projection: Projection;
  /** Removes data that was deleted or overwritten but is still on disk, as far as the stores allow (ERASE1). */
  wipe(): Promise<void>;
}

export interface ShopCore extends Stores {
  readonly sealing: Sealing;
  readonly handler: CommandHandler;
}

interface ShopCoreSettings
  extends Pick<CommandHandlerSettings, 'onAppended' | 'appendTimeoutMs' | 'soleWriter' | 'timing'>,
    Pick<SealingOptions, 'random' | 'now'> {
  readonly snapshots: Snapshots;
  readonly logger: Pick<Logger, 'warn'>;
  readonly newId?: () => string;
}

export function createShopCore(stores: Stores, settings: ShopCoreSettings): ShopCore {
  const { snapshots, logger, random, now, newId = randomUUID, ...forCommands } = settings;
  const sealing = createSealing({ ...stores, logger, random, now });
  const handler = createCommandHandler({
    ...forCommands,
    log: stores.log,
    sealing,
    newId,
    snapshots: {
      store: snapshots,
      onError: (error) => logger.warn({ err: error }, 'could not read or save a snapshot'),
    },
  });
  return { ...stores, sealing, handler };
}
