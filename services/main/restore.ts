import { restoreBackup } from '../embedded/backup/restore-backup.ts';
import { runCommand } from '../process/run-command.ts';
import { systemClock } from '../runtime/clock.ts';
import { ConfigError, readConfig } from '../runtime/config.ts';
import { createLogger } from '../runtime/log.ts';

/** `npm run restore -- DIR`: puts a backup in the place of an embedded shop, while it is stopped. */
runCommand(async ([directory]) => {
  if (!directory) throw new ConfigError('Name the directory of a backup: npm run restore -- backups/2026-01-31');
  const config = readConfig(process.env);
  if (config.servers)
    throw new ConfigError('A shop on servers is restored by the tools of MongoDB: see OPERATIONS.md.');
  const { dataDir, logLevel } = config;
  const logger = createLogger(logLevel);
  const { events, takenAt, erased, replaced } = await restoreBackup({ directory, dataDir, clock: systemClock, logger });
  const before = replaced ? `; what was there before lies in ${replaced}` : '';
  return `${dataDir} holds the ${events} events of ${takenAt}, ${erased} persons erased${before}`;
});
