import { readArchiveFile } from '../process/archive-file.ts';
import { runCommand } from '../process/run-command.ts';
import { ConfigError, readConfig } from '../runtime/config.ts';
import { createLogger } from '../runtime/log.ts';
import { importIntoServers } from '../servers/import-into-servers.ts';

/**
 * `npm run import-log -- FILE`: imports an embedded shop's log into an empty shop that uses MongoDB, Kafka and Redis
 * servers. Stop all of the new shop's processes first.
 */
runCommand(async ([file]) => {
  if (!file) throw new ConfigError('Specify the file to read: npm run import-log -- shop-log.ndjson');
  const config = readConfig(process.env);
  const logger = createLogger(config.logLevel);
  const { keys, events } = await importIntoServers({ config, logger, lines: () => readArchiveFile(file) });
  return `imported ${events} events and ${keys} keys; read models are made`;
});
