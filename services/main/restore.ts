import { restoreBackup } from '../embedded/backup/restore-backup.ts';
import { runCommand } from '../process/run-command.ts';
import { systemClock } from '../runtime/clock.ts';
import { ConfigError, readConfig } from '../runtime/config.ts';
import { createLogger } from '../runtime/log.ts';

/** `npm run restore -- DIR`: replaces an embedded shop's data with a backup. The shop must not be running. */
runCommand(async ([directory]) => {
  if (!directory) throw new ConfigError('Specify the backup directory: npm run restore -- backups/2026-01-31');
  const config = readConfig(process.env);
  if (config.servers) throw new ConfigError("Use MongoDB's own tools to restore a shop on servers: see OPERATIONS.md.");
  const { dataDir, logLevel } = config;
  const logger = createLogger(logLevel);
  const { events, takenAt, erased, replaced } = await restoreBackup({ directory, dataDir, clock: systemClock, logger });
  const before = replaced ? `; the previous data is in ${replaced}` : '';
  return `${dataDir} now holds the ${events} events of the backup from ${takenAt}; the personal data of ${erased} people is erased${before}`;
});
