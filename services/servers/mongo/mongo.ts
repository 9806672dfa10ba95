import { createRequire } from 'node:module';
import {
  type Db,
  type DbOptions,
  MongoBulkWriteError,
  MongoClient,
  type MongoClientOptions,
  MongoNetworkError,
  MongoNetworkTimeoutError,
  MongoNotConnectedError,
  MongoServerClosedError,
  MongoServerError,
  MongoServerSelectionError,
  MongoSystemError,
  MongoTopologyClosedError,
  ReadConcern,
} from 'mongodb';
import { ReadableError } from '../../runtime/readable-error.ts';
import { rejectOnClose } from './reject-on-close.ts';

rejectOnClose(createRequire(import.meta.url)('mongodb/lib/cmap/connection.js').Connection?.prototype);

const DEFAULT_DATABASE = 'micro_center';
const DUPLICATE_KEY = 11_000;

/**
 * Error codes from a server that is stepping down or shutting down, lacks a majority or disk space, refuses the
 * credentials, or is too slow.
 */
const CANNOT_SERVE: ReadonlySet<unknown> = new Set([
  6, 7, 13, 18, 50, 64, 89, 91, 189, 202, 262, 8000, 9001, 10_058, 10_107, 11_600, 11_602, 13_435, 13_436, 14_031,
]);

/**
 * With these options, acknowledged writes survive a power failure and the loss of a replica, and reads return nothing
 * that could be rolled back.
 */
const DURABLE: DbOptions = {
  writeConcern: { w: 'majority', journal: true },
  readConcern: new ReadConcern('majority'),
  readPreference: 'primary',
};

/**
 * The default client options. A call that is waiting for a lost server fails when the driver's heartbeat detects the
 * loss.
 */
const DEFAULTS: MongoClientOptions = {
  appName: 'micro-center',
  serverSelectionTimeoutMS: 5_000,
  connectTimeoutMS: 5_000,
  heartbeatFrequencyMS: 5_000,
};

/**
 * The number of attempts to connect if no server responds. A further attempt may succeed, because the server or this
 * machine may just be busy.
 */
const CONNECT_TRIES = 6;

/**
 * Thrown if MongoDB can't be reached or refuses the credentials, or if its connection string is invalid. The error
 * message doesn't contain credentials.
 */
export class MongoUnavailable extends ReadableError {
  override readonly name = 'MongoUnavailable';
}

export interface MongoDatabases {
  readonly shop: Db;
  /**
   * Keys and secrets are stored in a separate database or deployment, because backups of the log must not contain them.
   */
  readonly keys: Db;
  ping(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Connects to MongoDB. The shop's database is the one named in the connection string, or else `micro_center`. The keys
 * are in the database that `keysUri` names, or else in `<name of the shop's database>_keys`.
 * @throws MongoUnavailable within a few seconds if the connection is refused, or within half a minute if no server
 * responds
 */
export async function openMongo(uri: string, keysUri: string | null = null): Promise<MongoDatabases> {
  const client = newClient(uri);
  const keysClient = keysUri === null ? client : newClient(keysUri);
  const clients = [...new Set([client, keysClient])];
  const name = namedDatabase(uri) ?? DEFAULT_DATABASE;
  // DURABLE is set on each database instead of on the client, because the connection string could override a client
  // option.
  const shop = client.db(name, DURABLE);
  const keys = keysClient.db((keysUri && namedDatabase(keysUri)) || `${name}_keys`, DURABLE);
  const ping = async () => {
    await Promise.all(clients.map((one) => one.db(name).command({ ping: 1 })));
  };
  const close = async () => {
    await Promise.all(clients.map((one) => one.close()));
  };
  try {
    for (const one of clients) await connectTo(one);
  } catch (error) {
    await close();
    throw error;
  }
  return { shop, keys, ping, close };
}

async function connectTo(client: MongoClient): Promise<void> {
  try {
    await connect(client);
    await client.db(DEFAULT_DATABASE).command({ ping: 1 });
  } catch (error) {
    throw new MongoUnavailable(`MongoDB at ${hosts(client)} cannot be used: ${oneLine(error)}`, { cause: error });
  }
}

async function connect(client: MongoClient): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await client.connect();
      return;
    } catch (error) {
      if (tries === CONNECT_TRIES || !isSilence(error)) throw error;
    }
  }
}

/** Returns true if no server responded in time and none refused the connection. */
function isSilence(error: unknown): boolean {
  if (!(error instanceof MongoServerSelectionError)) return false;
  const said = error.reason?.error ?? null;
  return said === null || said instanceof MongoNetworkTimeoutError;
}

/** Returns true if the server couldn't be reached or couldn't serve the request, false if the request itself was wrong. */
export function isMongoLost(error: unknown): boolean {
  if (error instanceof MongoServerError) return CANNOT_SERVE.has(error.code);
  return (
    error instanceof MongoNetworkError ||
    error instanceof MongoSystemError ||
    error instanceof MongoNotConnectedError ||
    error instanceof MongoServerClosedError ||
    error instanceof MongoTopologyClosedError
  );
}

export function isDuplicateKey(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === DUPLICATE_KEY;
}

/**
 * Returns the positions of the operations that an unordered bulk write refused because of a duplicate key. All other
 * operations have succeeded. @throws any other error unchanged
 */
export function duplicateKeys(error: unknown): number[] {
  if (!(error instanceof MongoBulkWriteError) || error.result.getWriteConcernError()) throw error;
  const failed = [error.writeErrors].flat();
  if (failed.length === 0 || failed.some(({ code }) => code !== DUPLICATE_KEY)) throw error;
  return failed.map(({ index }) => index);
}

function newClient(uri: string): MongoClient {
  try {
    return new MongoClient(uri, { ...defaultsFor(uri), ignoreUndefined: true });
  } catch (error) {
    throw new MongoUnavailable(`The connection string of MongoDB is not valid: ${oneLine(error)}`);
  }
}

/**
 * Returns the default options that the connection string doesn't set. The others are left out, because they would
 * override the connection string.
 */
function defaultsFor(uri: string): MongoClientOptions {
  const query = uri.slice(uri.indexOf('?') + 1);
  const named = new Set([...new URLSearchParams(query).keys()].map((name) => name.toLowerCase()));
  return Object.fromEntries(Object.entries(DEFAULTS).filter(([name]) => !named.has(name.toLowerCase())));
}

/**
 * Returns the database name in the connection string, or null if there is none. In that case, the driver itself would
 * use the database `test`.
 */
function namedDatabase(uri: string): string | null {
  const named = /^[^:]+:\/\/[^/?]*\/([^?]+)/.exec(uri)?.[1];
  return named === undefined ? null : decodeURIComponent(named);
}

function hosts({ options }: MongoClient): string {
  return options.srvHost ?? options.hosts.join(', ');
}

function oneLine(error: unknown): string {
  return (error as Error).message.replace(/\s+/g, ' ').trim();
}
