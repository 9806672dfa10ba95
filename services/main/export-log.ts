import { withStoppedShop } from '../embedded/stopped-shop.ts';
import { writeArchive } from '../engine/log/log-archive.ts';
import { writeArchiveFile } from '../process/archive-file.ts';
import { runCommand } from '../process/run-command.ts';
import { ConfigError, readConfig } from '../runtime/config.ts';
import { loadSecrets } from '../runtime/data-dir.ts';

/**
 * `npm run export-log -- FILE`: exports the whole log of an embedded shop, together with its encryption keys and
 * secrets. The shop must not be running.
 */
runCommand(async ([file]) => {
  if (!file) throw new ConfigError('Specify the file to write: npm run export-log -- shop-log.ndjson');
  const config = readConfig(process.env);
  if (config.servers) {
    throw new ConfigError(
      'Unset MONGODB_URI, KAFKA_BROKERS and REDIS_URL to export an embedded shop; one on servers is backed up by the tools of MongoDB: see OPERATIONS.md.',
    );
  }
  await withStoppedShop(config, (core) => {
    const { userId, idempotency } = loadSecrets(config.dataDir);
    return writeArchiveFile(file, writeArchive(core, { userId, idempotency }));
  });
  return `${file} holds the log with its keys: anyone who has it can read every name and address. Protect it like a password.`;
});
