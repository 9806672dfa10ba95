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
 * What a server says that cannot serve at present, by code: it steps down, shuts down or does not reach the others, has no
 * disk left, refuses the credentials, or needed too long.
 */
const CANNOT_SERVE: ReadonlySet<unknown> = new Set([
  6, 7, 13, 18, 50, 64, 89, 91, 189, 202, 262, 8000, 9001, 10_058, 10_107, 11_600, 11_602, 13_435, 13_436, 14_031,
]);

/** An acknowledged write survives the loss of a member and of its power, and nothing is read that could still be undone. */
const DURABLE: DbOptions = {
  writeConcern: { w: 'majority', journal: true },
  readConcern: new ReadConcern('majority'),
  readPreference: 'primary',
};

/** A lost server is noticed by its heartbeat, which then also ends the calls that hang on it. */
const DEFAULTS: MongoClientOptions = {
  appName: 'micro-center',
  serverSelectionTimeoutMS: 5_000,
  connectTimeoutMS: 5_000,
  heartbeatFrequencyMS: 5_000,
};

/** How often a connection is begun whose server has neither answered nor refused: it, or this machine, is just busy. */
const CONNECT_TRIES = 6;

/** MongoDB cannot be reached, refuses the credentials, or is named wrongly; its message holds no credentials. */
export class MongoUnavailable extends ReadableError {
  override readonly name = 'MongoUnavailable';
}

export interface MongoDatabases {
  readonly shop: Db;
  /** keys and secrets: a database, or a deployment, of its own, for a backup of the log must not carry them */
  readonly keys: Db;
  /** Resolves once the server has answered; rejects within some seconds where it does not. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Connects to the deployment of a connection string. Its database is the shop's (`micro_center` where none is named); the
 * keys stand in `<that name>_keys` there, or in a deployment of their own, where `keysUri` may name their database.
 * @throws MongoUnavailable within some seconds where it is refused, within half a minute where nobody says anything
 */
export async function openMongo(uri: string, keysUri: string | null = null): Promise<MongoDatabases> {
  const client = newClient(uri);
  const keysClient = keysUri === null ? client : newClient(keysUri);
  const clients = [...new Set([client, keysClient])];
  const name = namedDatabase(uri) ?? DEFAULT_DATABASE;
  // Given to the databases, since some options of a connection string weigh more than those of its client.
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

/** No server was found in time, and none has refused: nobody has said anything yet. */
function isSilence(error: unknown): boolean {
  if (!(error instanceof MongoServerSelectionError)) return false;
  const said = error.reason?.error ?? null;
  return said === null || said instanceof MongoNetworkTimeoutError;
}

/** Whether an error means that no server could answer, rather than that it was asked something wrong. */
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

/** A write was refused because a unique key, most often its `_id`, is taken. */
export function isDuplicateKey(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === DUPLICATE_KEY;
}

/**
 * Which writes of an unordered bulk were refused because a unique key is taken, by index: all others are done.
 * @throws the error itself where it is not about duplicate keys alone
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

/** The driver would let its options outweigh what the connection string says. */
function defaultsFor(uri: string): MongoClientOptions {
  const query = uri.slice(uri.indexOf('?') + 1);
  const named = new Set([...new URLSearchParams(query).keys()].map((name) => name.toLowerCase()));
  return Object.fromEntries(Object.entries(DEFAULTS).filter(([name]) => !named.has(name.toLowerCase())));
}

/** Read here, since the driver would answer `test` where no database is named, as if that had been meant. */
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
