import { systemClock } from '../runtime/clock.ts';
import { readConfig } from '../runtime/config.ts';
import { holdDataDir } from '../runtime/data-dir.ts';
import { createLogger } from '../runtime/log.ts';
import { openEmbeddedCore } from './embedded-core.ts';

/** `npm run rebuild`: makes the read models anew from the log, while the shop is stopped. */
async function main(): Promise<void> {
  const config = readConfig(process.env);
  const lock = holdDataDir(config.dataDir);
  const core = openEmbeddedCore({
    dataDir: config.dataDir,
    clock: systemClock,
    logger: createLogger(config.logLevel),
  });
  try {
    const events = await core.rebuild();
    process.stdout.write(`read models rebuilt from ${events} events\n`);
  } finally {
    await core.close();
    lock.release();
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
