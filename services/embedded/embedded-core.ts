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
import { shopDocuments } from '../shop/documents.ts';
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

/** The name under which the projector's checkpoint is stored. */
const PROJECTOR = 'projector';

export interface EmbeddedCore extends ShopCore {
  readonly broadcast: Broadcast;
  /** Starts consuming the log. From then on, policies may append events. */
  startProjecting(runPolicies: NonNullable<ProjectorSettings['runPolicies']>): Promise<Projecting>;
  /**
   * Rebuilds either all read models or none of them (PRJ3). Must not run while events are being projected. Returns the
   * number of events read.
   */
  rebuild(): Promise<number>;
  /** Calls `onLost` once if one of the shop's files is deleted or replaced. From then on, no append is acknowledged (LOG6). */
  watchFiles(every: Every, onLost: (reason: string) => void): void;
  /** Records all erasures in all known backups, and then retries the unreachable backups every minute (BACKUP1). */
  noteErasures(every: Every): Promise<void>;
  /** Waits for running commands to finish, then closes every file. */
  close(): Promise<void>;
}

export interface EmbeddedCoreSettings {
  readonly dataDir: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /**
   * `onAppended` is called with a stream's new version once that version has been appended, and `onProjected` once that
   * version has been projected (READ1).
   */
  readonly onAppended?: (stream: StreamName, version: number) => void;
  readonly onProjected?: (stream: StreamName, version: number) => void;
  /**
   * If this callback is given, a separate thread writes shop.sqlite (LOG8). The callback is called once if that thread
   * exits on its own, after which nothing more can be written. Without the callback, the calling thread writes, which
   * suits short-lived commands.
   */
  readonly onWriterEnded?: ((reason: string) => void) | undefined;
}

/**
 * The size of the page cache during a rebuild, in KiB. Because ids are random, each insert touches random pages of the
 * indexes. The indexes don't fit into the usual cache of 16 MB, so their pages would be written and reread over
 * and over.
 */
const REBUILD_CACHE = 65_536;

/** Calls to the stores have no timeout, because a call to SQLite never hangs: it returns or fails. */
const GUARD = { isLost: isFileLost };

/** @throws NewerDataError, UnusableDataError, and DataDirError if the keys of the log's personal data are missing */
export function openEmbeddedCore(settings: EmbeddedCoreSettings): EmbeddedCore {
  return buildCore(openStores(settings), settings);
}

function openStores({ dataDir, clock, logger, onWriterEnded }: EmbeddedCoreSettings) {
  const [logFile, keysFile] = [join(dataDir, SHOP_FILE), join(dataDir, KEYS_FILE)];
  // Without the key file, all customers' data would appear to be erased, and these customers could no longer order.
  if (existsSync(logFile) && !existsSync(keysFile)) {
    throw new DataDirError(`${keysFile} is missing beside ${SHOP_FILE}: restore both from one backup.`);
  }
  // The key file is created before the log. Otherwise, a crash between the two on the first start would look as if the
  // keys had been lost.
  const erasures = noteErasures(guardStore(createSqliteKeyVault({ file: keysFile }), GUARD), { dataDir, logger });
  const { vault } = erasures;
  const database = openShopDatabase(logFile);
  const found = checkDatabase(database, logFile, LOG_TABLES);
  const file = { file: logFile };
  if (found === 'mended') logger.warn(file, 'documents were damaged; rebuilding them from the log, which is intact');
  if (found === 'too_large') logger.info(file, 'skipped the check for damaged pages, because the file is too large');
  const thread = onWriterEnded ? startWriter(logFile, onWriterEnded) : null;
  const writer = thread?.writer ?? writeHere(database);
  const feed = createSqliteEventFeed({
    database,
    writer,
    consumer: PROJECTOR,
    clock,
    onError: (error) => logger.error({ err: error }, 'the event feed failed; will retry'),
  });
  const log = guardStore(createSqliteEventLog({ database, writer }), GUARD);
  const readModels = guardStore(createSqliteReadModels({ database, declarations: shopDocuments, writer }), GUARD);
  const snapshots = createSqliteSnapshots({ database, writer });
  // All tables exist by now. From here on, only the writer thread writes.
  if (thread) database.pragma('query_only = ON');
  const wipe = async () => {
    await Promise.all([writer.wipe(), vault.wipe()]);
  };
  const files = [logFile, keysFile].flatMap((name) => [name, `${name}-wal`]);
  return {
    database,
    thread,
    files: [...files, join(dataDir, SECRETS_FILE)],
    log,
    vault,
    erasures,
    readModels,
    snapshots,
    feed,
    wipe,
  };
}

function buildCore(stores: ReturnType<typeof openStores>, settings: EmbeddedCoreSettings): EmbeddedCore {
  const { database, thread, vault, erasures, readModels, snapshots, feed, wipe } = stores;
  const { clock, logger } = settings;
  let lost: string | null = null;
  const log: EventLog = {
    ...stores.log,
    async append(commit) {
      const result = await stores.log.append(commit);
      if (lost !== null) throw new StoreUnavailable(lost);
      return result;
    },
  };
  let endWatch = () => {};
  let endNoting = () => {};
  const broadcast = createInProcessBroadcast();
  const core = createShopCore(
    { log, vault, readModels, projection: shopProjection, wipe },
    { snapshots, logger, soleWriter: true, onAppended },
  );
  const { handler } = core;
  // The feed is woken last. It may project an event at once, and a caller that heard of the projection before the append
  // would go on waiting for the projection.
  function onAppended(stream: StreamName, version: number): void {
    settings.onAppended?.(stream, version);
    feed.wake();
  }
  const projectorWith = (steps: Pick<ProjectorSettings, 'broadcast' | 'runPolicies'>) =>
    createProjector({
      ...core,
      clock,
      ...steps,
      onProjected: settings.onProjected,
      onStopped: (stopped) => logger.error(stopped, 'the projection of a stream has stopped; will retry'),
    });

  return {
    ...core,
    broadcast,
    async startProjecting(runPolicies) {
      // Waits for the writer thread to load, so that later appends don't have to wait for it.
      await thread?.ready;
      return followFeed(feed, projectorWith({ broadcast, runPolicies }), clock);
    },
    async rebuild() {
      if (thread) throw new Error('Read models cannot be rebuilt while a writer thread is running.');
      database.pragma(`cache_size = -${REBUILD_CACHE}`);
      // The rebuild runs in a single transaction, so that a crash leaves the old read models in place, with complete
      // lists.
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
      endWatch = watchFiles(stores.files, every, (file) => {
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
