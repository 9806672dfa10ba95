import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { StreamName } from '../contracts/ids.ts';
import type { EventLog } from '../engine/log/event-log.ts';
import type { Broadcast } from '../engine/projector/broadcast.ts';
import { createInProcessBroadcast } from '../engine/projector/broadcast.ts';
import { followFeed, type Projecting } from '../engine/projector/follow-feed.ts';
import { createProjector, type ProjectorSettings } from '../engine/projector/project.ts';
import { rebuildReadModels } from '../engine/projector/rebuild.ts';
import { createShopCore, type ShopCore } from '../engine/shop-core.ts';
import type { Clock } from '../runtime/clock.ts';
import { DataDirError, KEYS_FILE, SECRETS_FILE, SHOP_FILE } from '../runtime/data-dir.ts';
import type { Logger } from '../runtime/log.ts';
import type { Every } from '../runtime/schedule.ts';
import { isFileLost } from '../runtime/sqlite-file.ts';
import { guardStore, StoreUnavailable } from '../runtime/store-unavailable.ts';
import { watchFiles } from '../runtime/watch-files.ts';
import { shopProjection } from '../shop/projection.ts';
import { noteErasures } from './backup/note-erasures.ts';
import { checkDatabase } from './sqlite/check-database.ts';
import { LOG_TABLES, openShopDatabase } from './sqlite/sqlite-database.ts';
import { createSqliteEventFeed } from './sqlite/sqlite-event-feed.ts';
import { createSqliteEventLog } from './sqlite/sqlite-event-log.ts';
import { createSqliteKeyVault } from './sqlite/sqlite-key-vault.ts';
import { createSqliteReadModels } from './sqlite/sqlite-read-models.ts';
import { createSqliteSnapshots } from './sqlite/sqlite-snapshots.ts';
import { writeHere } from './sqlite/sqlite-writes.ts';
import { startWriter } from './sqlite/start-writer.ts';

/** Names the consumer whose checkpoint is kept. */
const PROJECTOR = 'projector';

export interface EmbeddedCore extends ShopCore {
  readonly broadcast: Broadcast;
  /** Begins to consume the log; policies may append from then on. */
  startProjecting(follow: NonNullable<ProjectorSettings['follow']>): Promise<Projecting>;
  /** All or nothing (PRJ3); not while projecting. Returns the number of events read. */
  rebuild(): Promise<number>;
  /** Calls back once when a file is deleted or replaced; from then on nothing is acknowledged any more (LOG6). */
  watchFiles(every: Every, onLost: (reason: string) => void): void;
  /** Notes erasures beside backups that could not be reached before, now and each minute (BACKUP1). */
  noteErasures(every: Every): Promise<void>;
  /** Lets running commands end, then closes every file. */
  close(): Promise<void>;
}

export interface EmbeddedCoreSettings {
  readonly dataDir: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** called with each stream's version once it is appended, and once it is projected (READ1) */
  readonly onAppended?: (stream: StreamName, version: number) => void;
  readonly onProjected?: (stream: StreamName, version: number) => void;
  /**
   * Where it is given, a thread of its own writes shop.sqlite (LOG8), and this is called once if that thread ends by itself: nothing
   * can be written any more. Otherwise this thread writes, as commands that end by themselves do.
   */
  readonly onWriterEnded?: ((reason: string) => void) | undefined;
}

/** In KiB. Ids are random: with SQLite's 16 MB, pages of their indexes are written and read again and again. */
const REBUILD_CACHE = 65_536;

/** No timeout: SQLite answers at once or fails. */
const GUARD = { isLost: isFileLost };

/** @throws NewerDataError, UnusableDataError, and DataDirError where the keys of the log's personal data are missing */
export function openEmbeddedCore(settings: EmbeddedCoreSettings): EmbeddedCore {
  const { dataDir, clock, logger } = settings;
  const [logFile, keysFile] = [join(dataDir, SHOP_FILE), join(dataDir, KEYS_FILE)];
  // Without its keys every person would read as erased, and could not order any more.
  if (existsSync(logFile) && !existsSync(keysFile)) {
    throw new DataDirError(`${keysFile} is missing beside ${SHOP_FILE}: restore both from one backup.`);
  }
  // Keys first: a first start that crashes between the two must not look like lost keys.
  const erasures = noteErasures(guardStore(createSqliteKeyVault({ file: keysFile }), GUARD), { dataDir, logger });
  const { vault } = erasures;
  const database = openShopDatabase(logFile);
  const found = checkDatabase(database, logFile, LOG_TABLES);
  const file = { file: logFile };
  if (found === 'mended') logger.warn(file, 'documents were damaged; rebuilding them from the log, which is intact');
  if (found === 'too_large') logger.info(file, 'too large to be looked through for damaged pages at each start');
  const thread = settings.onWriterEnded ? startWriter(logFile, settings.onWriterEnded) : null;
  const writer = thread?.writer ?? writeHere(database);
  const feed = createSqliteEventFeed({
    database,
    writer,
    consumer: PROJECTOR,
    clock,
    onError: (error) => logger.error({ err: error }, 'a batch of events failed'),
  });
  const guardedLog = guardStore(createSqliteEventLog({ database, writer, onAppended: () => feed.wake() }), GUARD);
  let lost: string | null = null;
  const log: EventLog = {
    ...guardedLog,
    async append(commit) {
      const result = await guardedLog.append(commit);
      if (lost !== null) throw new StoreUnavailable(lost);
      return result;
    },
  };
  let endWatch = () => {};
  let endNoting = () => {};
  const readModels = guardStore(createSqliteReadModels({ database, writer }), GUARD);
  const broadcast = createInProcessBroadcast();
  const snapshots = createSqliteSnapshots({ database, writer });
  // All tables are there: from now on the thread alone writes.
  if (thread) database.pragma('query_only = ON');
  const wipe = async () => {
    await Promise.all([writer.wipe(), vault.wipe()]);
  };
  const core = createShopCore(
    { log, vault, readModels, projection: shopProjection, wipe },
    { snapshots, logger, soleWriter: true, onAppended: settings.onAppended },
  );
  const { handler } = core;
  const projectorWith = (steps: Pick<ProjectorSettings, 'broadcast' | 'follow'>) =>
    createProjector({
      ...core,
      clock,
      ...steps,
      onProjected: settings.onProjected,
      onStopped: (stopped) => logger.error(stopped, 'a stream has stopped'),
    });

  return {
    ...core,
    broadcast,
    async startProjecting(follow) {
      // What is appended from here on must not wait for a thread that is still being loaded.
      await thread?.ready;
      return followFeed(feed, projectorWith({ broadcast, follow }), clock);
    },
    async rebuild() {
      if (thread) throw new Error('Read models are rebuilt while no thread writes.');
      database.pragma(`cache_size = -${REBUILD_CACHE}`);
      // One transaction: after a crash the read models are as they were, and lists lack nothing at the next start.
      database.exec('BEGIN IMMEDIATE');
      try {
        await snapshots.clear();
        const events = await rebuildReadModels({ log, readModels, projector: projectorWith({}) });
        database.exec('COMMIT');
        return events;
      } catch (error) {
        database.exec('ROLLBACK');
        throw error;
      }
    },
    watchFiles(every, onLost) {
      const files = [logFile, keysFile].flatMap((file) => [file, `${file}-wal`]);
      endWatch = watchFiles([...files, join(dataDir, SECRETS_FILE)], every, (file) => {
        lost = `${file} was deleted or replaced while the shop was running.`;
        onLost(lost);
      });
    },
    async noteErasures(every) {
      endNoting = await erasures.keepNoting(every);
    },
    async close() {
      endWatch();
      endNoting();
      await handler.idle();
      await feed.close();
      await handler.idle();
      await broadcast.close();
      await log.close();
      await vault.close();
      await thread?.close();
      database.close();
    },
  };
}
