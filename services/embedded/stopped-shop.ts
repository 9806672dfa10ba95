import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { assertLogIsThere } from '../engine/log/lost-log.ts';
import { systemClock } from '../runtime/clock.ts';
import { type Config, ConfigError } from '../runtime/config.ts';
import { holdDataDir, SHOP_FILE } from '../runtime/data-dir.ts';
import { createLogger } from '../runtime/log.ts';
import { type EmbeddedCore, openEmbeddedCore } from './embedded-core.ts';

/**
 * Runs `work` on an embedded shop's data, and keeps the shop from starting in the meantime.
 * @throws ConfigError if the directory holds no shop; DataDirError if the shop is running
 */
export async function withStoppedShop<T>(
  { dataDir, logLevel }: Config,
  work: (core: EmbeddedCore) => Promise<T>,
): Promise<T> {
  const shopFile = join(dataDir, SHOP_FILE);
  if (!existsSync(shopFile)) throw new ConfigError(`${shopFile} is missing: there is no shop in this directory.`);
  const lock = holdDataDir(dataDir);
  try {
    const core = openEmbeddedCore({ dataDir, clock: systemClock, logger: createLogger(logLevel) });
    try {
      await assertLogIsThere(core, dataDir);
      return await work(core);
    } finally {
      await core.close();
    }
  } finally {
    lock.release();
  }
}
