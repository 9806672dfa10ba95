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

/** The server steps down, shuts down, lacks a majority or disk space, refuses the credentials, or took too long. */
const CANNOT_SERVE: ReadonlySet<unknown> = new Set([
  6, 7, 13, 18, 50, 64, 89, 91, 189, 202, 262, 8000, 9001, 10_058, 10_107, 11_600, 11_602, 13_435, 13_436, 14_031,
]);

/** Acknowledged writes survive the loss of a member and its power; reads return nothing that could be rolled back. */
const DURABLE: DbOptions = {
  writeConcern: { w: 'majority', journal: true },
  readConcern: new ReadConcern('majority'),
  readPreference: 'primary',
};

/** The heartbeat notices a lost server, and then also ends the calls that hang on it. */
const DEFAULTS: MongoClientOptions = {
  appName: 'micro-center',
  serverSelectionTimeoutMS: 5_000,
  connectTimeoutMS: 5_000,
  heartbeatFrequencyMS: 5_000,
};

/** For connections that are neither accepted nor refused: the server, or this machine, is just busy. */
const CONNECT_TRIES = 6;

/** Cannot be reached, refuses the credentials, or is named wrongly; the message holds no credentials. */
export class MongoUnavailable extends ReadableError {
  override readonly name = 'MongoUnavailable';
}

export interface MongoDatabases {
  readonly shop: Db;
  /** keys and secrets: a separate database or deployment, since a backup of the log must not carry them */
  readonly keys: Db;
  ping(): Promise<void>;
  close(): Promise<void>;
}

/**
 * The shop's database is the one in the connection string (default `micro_center`); the keys are in `<that name>_keys`, or
 * where `keysUri` says. @throws MongoUnavailable within some seconds where it is refused, within half a minute where nobody
 * answers
 */
export async function openMongo(uri: string, keysUri: string | null = null): Promise<MongoDatabases> {
  const client = newClient(uri);
  const keysClient = keysUri === null ? client : newClient(keysUri);
  const clients = [...new Set([client, keysClient])];
  const name = namedDatabase(uri) ?? DEFAULT_DATABASE;
  // Given to the databases, since some options of a connection string override those of its client.
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

/** No server answered in time, and none has refused. */
function isSilence(error: unknown): boolean {
  if (!(error instanceof MongoServerSelectionError)) return false;
  const said = error.reason?.error ?? null;
  return said === null || said instanceof MongoNetworkTimeoutError;
}

/** True where no server could answer; false where the request was wrong. */
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

/** Indexes of an unordered bulk's duplicates; all others are done. @throws the error itself if it is about anything else */
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

/** The driver's options would override the connection string. */
function defaultsFor(uri: string): MongoClientOptions {
  const query = uri.slice(uri.indexOf('?') + 1);
  const named = new Set([...new URLSearchParams(query).keys()].map((name) => name.toLowerCase()));
  return Object.fromEntries(Object.entries(DEFAULTS).filter(([name]) => !named.has(name.toLowerCase())));
}

/** Read here, since the driver defaults to `test` where no database is named. */
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
