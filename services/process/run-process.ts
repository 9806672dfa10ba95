import type { IdentityProvider } from '../identity/identity-provider.ts';
import { type Config, readConfig } from '../runtime/config.ts';
import { createLogger, type Logger } from '../runtime/log.ts';
import { reasonOf } from '../runtime/reason-of.mjs';

export interface Shop {
  readonly origin: string;
  /** Safe to call more than once. */
  stop(): Promise<void>;
}

export interface StartOptions {
  readonly logger: Logger;
  readonly print: (line: string) => void;
  readonly onFatal: (reason: string) => void;
  readonly identity?: IdentityProvider;
}

/**
 * How long shutting down may take, in ms. After that, the process exits anyway. This is safe, because every
 * acknowledged change is already durable.
 */
const STOP_LIMIT_MS = 9_000;

const print = (line: string) => process.stdout.write(`${line}\n`);

/** Runs a shop in this process. Prints `ready` once the shop serves requests, and stops within 10 s of SIGTERM or SIGINT. */
export function runProcess(start: (config: Config, options: StartOptions) => Promise<Shop>): void {
  let shop: Shop | null = null;
  let stopping = false;

  async function stop(code: number): Promise<void> {
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(code), STOP_LIMIT_MS).unref();
    await shop?.stop();
    process.exit(code);
  }

  async function main(): Promise<void> {
    const config = readConfig(process.env);
    const logger = createLogger(config.logLevel);
    shop = await start(config, {
      logger,
      print,
      onFatal: (reason) => {
        process.stderr.write(`${reason}\n`);
        void stop(1);
      },
    });
    if (stopping) await shop.stop();
    else print(`ready ${addressToOpen(shop.origin)}`);
  }

  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(0));
  main().catch((error: unknown) => {
    process.stderr.write(`${reasonOf(error)}\n`);
    process.exit(1);
  });
}

/** Returns the address to open in a browser. A shop that listens on all addresses refuses the host name 0.0.0.0 (AUTH7). */
export const addressToOpen = (origin: string): string =>
  origin.replace(/(?<=\/\/)(?:0\.0\.0\.0|\[::\])(?=:)/, '127.0.0.1');
