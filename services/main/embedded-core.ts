import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { type CommandHandler, createCommandHandler } from '../command-handler/command-handler.ts';
import type { RecordedEvent } from '../contracts/events.ts';
import type { StreamName } from '../contracts/ids.ts';
import type { FeedConsumer } from '../event-feed/event-feed.ts';
import { createSqliteEventFeed } from '../event-feed/sqlite-event-feed.ts';
import type { EventLog } from '../event-log/event-log.ts';
import { createSealing, type Sealing } from '../event-log/sealing.ts';
import { openShopDatabase } from '../event-log/sqlite-database.ts';
import { createSqliteEventLog } from '../event-log/sqlite-event-log.ts';
import { createSqliteKeyVault } from '../event-log/sqlite-key-vault.ts';
import type { Broadcast } from '../live/broadcast.ts';
import { createInProcessBroadcast } from '../live/in-process-broadcast.ts';
import { createProjector, type Projector } from '../projector/project.ts';
import type { ReadModels } from '../read-models/read-models.ts';
import { createSqliteReadModels } from '../read-models/sqlite-read-models.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Logger } from '../runtime/log.ts';

/** The consumer of the feed that projects, pushes and has the policies followed. Its checkpoint goes by this name. */
export const PROJECTOR = 'projector';

/** Log, commands, projections and push of an embedded shop, on the files of one data directory. */
export interface EmbeddedCore {
  readonly log: EventLog;
  readonly sealing: Sealing;
  readonly readModels: ReadModels;
  readonly broadcast: Broadcast;
  readonly handler: CommandHandler;
  readonly projector: Projector;
  /** Begins to follow the log; policies may append from then on. */
  startProjecting(follow: Follow): Promise<FeedConsumer>;
  /** Lets running commands end, then closes every file. */
  close(): Promise<void>;
}

type Follow = (events: readonly RecordedEvent[]) => Promise<ReadonlySet<string>>;

export interface EmbeddedCoreSettings {
  readonly dataDir: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** told of each stream's version once it is appended, and once it is projected (READ1) */
  readonly onAppended?: (stream: StreamName, version: number) => void;
  readonly onProjected?: (stream: StreamName, version: number) => void;
}

/** Opens the data directory's files; @throws NewerDataError where they were written by a newer version. */
export function openEmbeddedCore(settings: EmbeddedCoreSettings): EmbeddedCore {
  const { dataDir, clock, logger } = settings;
  const database = openShopDatabase(join(dataDir, 'shop.sqlite'));
  const vault = createSqliteKeyVault({ file: join(dataDir, 'keys.sqlite') });
  const sealing = createSealing({ vault });
  const feed = createSqliteEventFeed({
    database,
    clock,
    onError: (consumer, error) => logger.error({ err: error, consumer }, 'a batch of events failed'),
  });
  const log = createSqliteEventLog({ database, onAppended: () => feed.wake() });
  const readModels = createSqliteReadModels({ database });
  const broadcast = createInProcessBroadcast();
  const handler = createCommandHandler({
    log,
    sealing,
    newId: randomUUID,
    ...(settings.onAppended ? { onAppended: settings.onAppended } : {}),
  });
  let follow: Follow = async () => new Set();
  const projector = createProjector({
    log,
    sealing,
    readModels,
    broadcast,
    clock,
    follow: (events) => follow(events),
    ...(settings.onProjected ? { onProjected: settings.onProjected } : {}),
    onStopped: (stopped) => logger.error(stopped, 'a stream has stopped'),
  });

  return {
    log,
    sealing,
    readModels,
    broadcast,
    handler,
    projector,
    startProjecting(policies) {
      follow = policies;
      return feed.consume(PROJECTOR, (events) => projector.project(events));
    },
    async close() {
      await handler.idle();
      await feed.close();
      await handler.idle();
      await broadcast.close();
      await log.close();
      await readModels.close();
      await vault.close();
      database.close();
    },
  };
}
