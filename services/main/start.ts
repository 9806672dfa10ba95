import { ConfigError, readConfig } from '../runtime/config.ts';
import { DataDirError } from '../runtime/data-dir.ts';
import { createLogger } from '../runtime/log.ts';
import { NewerDataError, UnusableDataError } from '../runtime/sqlite-file.ts';
import { type Shop, startShop } from './all-in-one.ts';
import { DemoProviderError } from './demo-providers.ts';
import { ListenError } from './http-server.ts';
import { buildWebIfOld } from './web-build.ts';

/** A stop that takes longer is cut: what was acknowledged is on disk already. */
const STOP_LIMIT_MS = 9_000;

const print = (line: string) => process.stdout.write(`${line}\n`);

/** What a person can mend is said in one line; anything else is a fault of ours, with its stack. */
function explain(error: unknown): string {
  const kinds = [ConfigError, DataDirError, ListenError, NewerDataError, UnusableDataError, DemoProviderError];
  const known = kinds.some((kind) => error instanceof kind);
  if (known && error instanceof Error) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

async function main(): Promise<void> {
  let shop: Shop | null = null;
  let stopping = false;

  async function stop(code: number): Promise<void> {
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(code), STOP_LIMIT_MS).unref();
    await shop?.stop();
    process.exit(code);
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(0));

  const config = readConfig(process.env);
  await buildWebIfOld(print);
  const logger = createLogger(config.logLevel);
  shop = await startShop(config, {
    logger,
    print,
    onFatal: (reason) => {
      logger.fatal(reason);
      void stop(1);
    },
  });
  if (stopping) await shop.stop();
  else print(`ready ${shop.origin}`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
});
