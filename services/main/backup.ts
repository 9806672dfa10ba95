import { takeBackup } from '../embedded/backup/take-backup.ts';
import { runCommand } from '../process/run-command.ts';
import { systemClock } from '../runtime/clock.ts';
import { ConfigError, readConfig } from '../runtime/config.ts';

/** `npm run backup -- DIR`: makes a consistent copy of an embedded shop's data. The shop may be running. */
runCommand(async ([directory]) => {
  if (!directory) throw new ConfigError('Specify a new directory: npm run backup -- backups/2026-01-31');
  const config = readConfig(process.env);
  if (config.servers) throw new ConfigError("Use MongoDB's own tools to back up a shop on servers: see OPERATIONS.md.");
  const { events } = await takeBackup({ dataDir: config.dataDir, directory, clock: systemClock });
  return `${directory} holds ${events} events with their keys: anyone who has it can read every name and address.`;
});
