import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StreamName } from '../../contracts/ids.ts';
import { openShopDatabase } from '../../embedded/sqlite/sqlite-database.ts';
import { createSqliteEventLog } from '../../embedded/sqlite/sqlite-event-log.ts';
import { createSqliteKeyVault } from '../../embedded/sqlite/sqlite-key-vault.ts';
import { createLogger } from '../../runtime/log.ts';
import type { Commit, EventLog } from '../log/event-log.ts';
import { createSealing } from '../log/sealing.ts';
import type { CommandMeta } from './command.ts';
import { type CommandHandlerSettings, createCommandHandler } from './command-handler.ts';

export function metaOf(cause: string, time = '2026-01-01T00:00:00.000Z'): CommandMeta {
  return { cause, actor: 'system:test', correlationId: 'test', time };
}

/** Opens a real SQLite log in its own temporary folder. Each call to `handler` creates another command handler on this log. */
export function openEmbeddedLog() {
  const folder = mkdtempSync(join(tmpdir(), 'commands-'));
  const database = openShopDatabase(join(folder, 'shop.sqlite'));
  const vault = createSqliteKeyVault({ file: join(folder, 'keys.sqlite') });
  const log = createSqliteEventLog({ database });
  const sealing = createSealing({ vault, log, logger: createLogger('silent') });
  return {
    log,
    vault,
    sealing,
    handler: (change: Partial<CommandHandlerSettings> = {}) =>
      createCommandHandler({ log, sealing, newId: () => randomUUID(), ...change }),
    async eventsOf(stream: StreamName) {
      return sealing.openAll(await log.readStream(stream, 0, 10_000));
    },
    async close() {
      await log.close();
      await vault.close();
      database.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Returns a log that records each commit and runs `before` just before the commit is appended. */
export function interceptAppends(log: EventLog, before: (commit: Commit) => Promise<void> | void) {
  const commits: Commit[] = [];
  const intercepted: EventLog = {
    ...log,
    async append(commit) {
      commits.push(commit);
      await before(commit);
      return log.append(commit);
    },
  };
  return { log: intercepted, commits };
}
