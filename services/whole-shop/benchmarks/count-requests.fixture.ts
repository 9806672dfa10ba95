import { renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Redis } from 'ioredis';

const EVERY_MS = 100;

/** How much CPU time a process has used, and how many requests it has sent, since it started. */
export interface Work {
  /** CPU time of all the process's threads, in ms */
  readonly processor: number;
  /** the number of requests of each kind, such as `MongoDB find events` */
  readonly sent: Readonly<Record<string, number>>;
}

/**
 * Counts the requests that this process sends to MongoDB, Kafka and Redis, after the drivers have batched them. Saves
 * the counts and the process's CPU time to `file` at regular intervals.
 */
export function countRequests(file: string): void {
  const sent: Record<string, number> = {};
  const count = (request: string) => {
    sent[request] = (sent[request] ?? 0) + 1;
  };
  const require = createRequire(import.meta.url);
  before(require('mongodb/lib/cmap/connection.js').Connection.prototype, 'command', (_, command: object) => {
    const [name, target] = Object.entries(command)[0] ?? [];
    const { collection = target } = command as { collection?: unknown };
    count(`MongoDB ${name}${typeof collection === 'string' ? ` ${collection}` : ''}`);
  });
  before(require('kafkajs/src/network/connection').prototype, 'send', ({ request }) =>
    count(`Kafka ${request.apiName}`),
  );
  before(Redis.prototype, 'sendCommand', ({ name }) => count(`Redis ${name}`));
  setInterval(() => {
    const { user, system } = process.cpuUsage();
    const work: Work = { processor: (user + system) / 1_000, sent };
    writeFileSync(`${file}.new`, JSON.stringify(work));
    renameSync(`${file}.new`, file);
  }, EVERY_MS).unref();
}

// biome-ignore lint/suspicious/noExplicitAny: methods of three libraries, which have no common shape
type Methods = Record<string, (...args: any[]) => unknown>;

function before(prototype: object, name: string, note: Methods[string]): void {
  const methods = prototype as Methods;
  const original = methods[name];
  if (!original) throw new Error(`Cannot count requests: the library has no method ${name}().`);
  methods[name] = function (this: unknown, ...args) {
    note(...args);
    return original.apply(this, args);
  };
}
