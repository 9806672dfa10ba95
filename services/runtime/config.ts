import { type Environment, environmentSchema } from './environment.ts';
import { isLoopback } from './own-host.ts';
import { ReadableError } from './readable-error.ts';

/** Where card payments are made. */
export type StripeConfig =
  /** `simulatorUrl` is that of a local Stripe which runs by itself; null: the shop starts its own */
  | { readonly mode: 'demo'; readonly simulatorUrl: string | null }
  | {
      readonly mode: 'live';
      readonly secretKey: string;
      readonly publishableKey: string;
      readonly webhookSecret: string;
    };

/** Who signs people in. */
export type FirebaseConfig =
  /** `emulatorHost` (host:port) is that of an emulator which runs by itself; null: the shop starts its own */
  | { readonly mode: 'demo'; readonly projectId: string; readonly emulatorHost: string | null }
  | { readonly mode: 'live'; readonly projectId: string; readonly webConfig: Readonly<Record<string, unknown>> };

/** How Kafka is spoken to; files are named, and read where they are used (kafka-security.ts). */
export interface KafkaSecurityConfig {
  readonly tls: {
    readonly caFile: string | null;
    readonly certFile: string | null;
    readonly keyFile: string | null;
  } | null;
  /** either `password` or `passwordFile` is there */
  readonly sasl: {
    readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512';
    readonly username: string;
    readonly password: string | null;
    readonly passwordFile: string | null;
  } | null;
}

/** The servers that a shop grown out of one machine runs on. */
export interface ServersConfig {
  readonly mongoUri: string;
  /** where keys and secrets stand; null: in a database beside the log's */
  readonly mongoKeysUri: string | null;
  /** host:port of each broker */
  readonly kafkaBrokers: readonly string[];
  readonly kafkaSecurity: KafkaSecurityConfig;
  /** of each topic, when it is made */
  readonly kafkaPartitions: number;
  readonly kafkaReplication: number;
  readonly redisUrl: string;
  /** what the names of topics, consumer groups, channels and keys begin with, so that shops can share servers */
  readonly namePrefix: string;
}

/** The whole configuration of a shop. Times in milliseconds, amounts in whole taka. */
export interface Config {
  readonly host: string;
  /** 0 takes a free port */
  readonly port: number;
  /** null: embedded, everything in this process and in dataDir */
  readonly servers: ServersConfig | null;
  readonly dataDir: string;
  /** how browsers reach the shop, where that is not HOST and PORT; without a slash at the end */
  readonly publicOrigin: string | null;
  /** reverse proxies between the browsers and the shop, whose X-Forwarded-For is believed */
  readonly trustedProxies: number;
  /** the bearer that opens /metrics to others than loopback; null: to nobody */
  readonly metricsToken: string | null;
  /** a demo shop that others than this machine's can reach, as was asked for */
  readonly demoPublic: boolean;
  readonly demoData: boolean;
  readonly adminEmails: readonly string[];
  /** null: made once and kept in dataDir (embedded alone) */
  readonly accessTokenSecret: string | null;
  /** the longest that a request waits for one answer of the store (CMD7) */
  readonly storeTimeoutMs: number;
  readonly unpaidOrderTtlMs: number;
  /** of one customer at once; 0: neither these nor the pace of placements are limited */
  readonly maxUnpaidOrders: number;
  readonly paymentMinimumTaka: number;
  readonly rateLimit: boolean;
  readonly stripe: StripeConfig;
  readonly firebase: FirebaseConfig;
  readonly corsOrigins: readonly string[];
  readonly logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';
}

/** The environment does not make a configuration: the message names every variable that is wrong, in one line. */
export class ConfigError extends ReadableError {
  override readonly name = 'ConfigError';
}

export const DEMO_PROJECT_ID = 'demo-micro-center';

const REAL_PROVIDER_VARIABLES = [
  'STRIPE_SECRET_KEY',
  'STRIPE_PUBLISHABLE_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'FIREBASE_PROJECT_ID',
  'FIREBASE_WEB_CONFIG',
] as const;

/** They turn on scale-out, all together. */
const SERVER_VARIABLES = ['MONGODB_URI', 'KAFKA_BROKERS', 'REDIS_URL'] as const;
/** The demo's providers where they run by themselves, beside the roles of a scale-out shop. */
const DEMO_PROVIDER_VARIABLES = ['STRIPE_SIMULATOR_URL', 'FIREBASE_AUTH_EMULATOR_HOST'] as const;

/** Reads the configuration of the shop from the environment, once. @throws ConfigError */
export function readConfig(variables: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.fromEntries(
    Object.entries(variables).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = environmentSchema.safeParse(given);
  const complaints = parsed.success
    ? []
    : parsed.error.issues.map((issue) => `${String(issue.path[0])} ${issue.message}`);
  complaints.push(...halfSet(given, SERVER_VARIABLES), ...halfSet(given, REAL_PROVIDER_VARIABLES));
  complaints.push(...serverComplaints(given), ...kafkaComplaints(given));
  if (parsed.success) complaints.push(...modeComplaints(parsed.data));
  if (!parsed.success || complaints.length > 0) throw new ConfigError(`Configuration: ${complaints.join('; ')}.`);
  return toConfig(parsed.data);
}

type Given = Readonly<Record<string, unknown>>;

/** What comes all together or not at all (AUTH4). */
function halfSet(given: Given, names: readonly string[]): string[] {
  const set = names.filter((name) => name in given);
  const missing = names.filter((name) => !(name in given));
  return set.length > 0 ? missing.map((name) => `${name} is missing beside ${set.join(', ')}`) : [];
}

/** Many processes must agree on their secret, and on providers that none of them can start for all. */
function serverComplaints(given: Given): string[] {
  const set = SERVER_VARIABLES.filter((name) => name in given);
  const real = REAL_PROVIDER_VARIABLES.some((name) => name in given);
  const complaints: string[] = [];
  if (set.length === 0 && 'MONGODB_KEYS_URI' in given) complaints.push('MONGODB_KEYS_URI is not for the embedded shop');
  for (const name of DEMO_PROVIDER_VARIABLES) {
    if (set.length === 0 && name in given) complaints.push(`${name} is not for the embedded shop`);
    else if (real && name in given) complaints.push(`${name} is for demo mode, not beside real provider keys`);
    else if (set.length > 0 && !real && !(name in given)) {
      complaints.push(`${name} is missing: without real provider keys a shop on servers needs it, and DEMO=1`);
    }
  }
  if (set.length === 0) return complaints;
  if (!('ACCESS_TOKEN_SECRET' in given)) complaints.push(`ACCESS_TOKEN_SECRET is missing beside ${set.join(', ')}`);
  if (!real && given.DEMO !== '1')
    complaints.push('DEMO is not 1: without real provider keys a shop on servers is a demo');
  return complaints;
}

/** What stands without the variable that gives it a meaning, and a password that would travel in clear. */
function kafkaComplaints(given: Given): string[] {
  const complaints = halfSet(given, ['KAFKA_CERT_FILE', 'KAFKA_KEY_FILE']);
  const needs = (names: readonly string[], needed: string, isGiven: boolean) => {
    const set = names.filter((name) => name in given);
    if (set.length > 0 && !isGiven) complaints.push(`${needed} is missing beside ${set.join(', ')}`);
  };
  const passwords = ['KAFKA_PASSWORD', 'KAFKA_PASSWORD_FILE'];
  const passwordsGiven = passwords.filter((name) => name in given).length;
  needs(['KAFKA_CA_FILE', 'KAFKA_CERT_FILE', 'KAFKA_KEY_FILE'], 'KAFKA_TLS=1', given.KAFKA_TLS === '1');
  needs(['KAFKA_USERNAME', ...passwords], 'KAFKA_SASL', 'KAFKA_SASL' in given);
  needs(['KAFKA_SASL'], 'KAFKA_USERNAME', 'KAFKA_USERNAME' in given);
  needs(['KAFKA_SASL'], 'KAFKA_PASSWORD_FILE or KAFKA_PASSWORD', passwordsGiven > 0);
  if (passwordsGiven > 1) complaints.push('KAFKA_PASSWORD and KAFKA_PASSWORD_FILE are both set: one is enough');
  if (given.KAFKA_SASL === 'plain' && given.KAFKA_TLS !== '1') {
    complaints.push('KAFKA_SASL plain sends the password in clear: set KAFKA_TLS=1');
  }
  return complaints;
}

function kafkaSecurityOf(environment: Environment): KafkaSecurityConfig {
  const { KAFKA_SASL: mechanism, KAFKA_USERNAME: username } = environment;
  return {
    tls: environment.KAFKA_TLS
      ? {
          caFile: environment.KAFKA_CA_FILE ?? null,
          certFile: environment.KAFKA_CERT_FILE ?? null,
          keyFile: environment.KAFKA_KEY_FILE ?? null,
        }
      : null,
    sasl:
      mechanism && username
        ? {
            ...{ mechanism, username },
            password: environment.KAFKA_PASSWORD ?? null,
            passwordFile: environment.KAFKA_PASSWORD_FILE ?? null,
          }
        : null,
  };
}

/** Demo mode is what no provider key gives: it stays apart from the real providers and from the network (AUTH4). */
function modeComplaints(environment: Environment): string[] {
  const complaints: string[] = [];
  if (REAL_PROVIDER_VARIABLES.some((name) => environment[name] !== undefined)) {
    if (environment.DEMO) complaints.push('DEMO is for demo mode, not beside real provider keys');
    if (environment.DEMO_PUBLIC) complaints.push('DEMO_PUBLIC is for demo mode, not beside real provider keys');
    if (environment.DEMO_DATA) complaints.push('DEMO_DATA is for demo mode, not beside real provider keys');
    if (environment.FIREBASE_PROJECT_ID?.startsWith('demo-')) {
      complaints.push('FIREBASE_PROJECT_ID names a demo project, whose tokens are not signed');
    }
  } else {
    const door = openDoor(environment);
    if (door && !environment.DEMO_PUBLIC) {
      complaints.push(
        `${door} opens a demo shop, whose admin anyone can be, to others: set DEMO_PUBLIC=1 if that is meant`,
      );
    }
  }
  return complaints;
}

/** The variable by which others than this machine's reach the shop, with its value; HTTP_BIND stands for HOST in a container. */
function openDoor({ HTTP_BIND, HOST, PUBLIC_ORIGIN }: Environment): string | null {
  const listens = HTTP_BIND ?? HOST;
  if (!isLoopback(listens)) return `${HTTP_BIND ? 'HTTP_BIND' : 'HOST'} ${listens}`;
  const named = PUBLIC_ORIGIN !== undefined && !isLoopback(new URL(PUBLIC_ORIGIN).hostname);
  return named ? `PUBLIC_ORIGIN ${PUBLIC_ORIGIN}` : null;
}

function toConfig(environment: Environment): Config {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_PUBLISHABLE_KEY: publishableKey } = environment;
  const { STRIPE_WEBHOOK_SECRET: webhookSecret, FIREBASE_PROJECT_ID: projectId } = environment;
  const { FIREBASE_WEB_CONFIG: webConfig } = environment;
  const live = secretKey && publishableKey && webhookSecret && projectId && webConfig;
  const demoPublic = !live && openDoor(environment) !== null;
  return {
    host: environment.HOST,
    port: environment.PORT,
    servers: serversOf(environment),
    dataDir: environment.DATA_DIR,
    publicOrigin: environment.PUBLIC_ORIGIN ?? null,
    trustedProxies: environment.TRUSTED_PROXIES,
    metricsToken: environment.METRICS_TOKEN ?? null,
    demoPublic,
    demoData: environment.DEMO_DATA ?? !live,
    adminEmails: environment.ADMIN_EMAILS,
    accessTokenSecret: environment.ACCESS_TOKEN_SECRET ?? null,
    storeTimeoutMs: environment.STORE_TIMEOUT,
    unpaidOrderTtlMs: environment.UNPAID_ORDER_TTL,
    maxUnpaidOrders: environment.MAX_UNPAID_ORDERS,
    paymentMinimumTaka: environment.PAYMENT_MINIMUM,
    rateLimit: environment.RATE_LIMIT ? environment.RATE_LIMIT === 'on' : Boolean(live) || demoPublic,
    stripe: live
      ? { mode: 'live', secretKey, publishableKey, webhookSecret }
      : { mode: 'demo', simulatorUrl: environment.STRIPE_SIMULATOR_URL ?? null },
    firebase: live
      ? { mode: 'live', projectId, webConfig }
      : {
          mode: 'demo',
          projectId: DEMO_PROJECT_ID,
          emulatorHost: environment.FIREBASE_AUTH_EMULATOR_HOST ?? null,
        },
    corsOrigins: environment.CORS_ORIGINS,
    logLevel: environment.LOG_LEVEL,
  };
}

function serversOf(environment: Environment): ServersConfig | null {
  const { MONGODB_URI: mongoUri, KAFKA_BROKERS: kafkaBrokers, REDIS_URL: redisUrl } = environment;
  if (!mongoUri || !kafkaBrokers || !redisUrl) return null;
  return {
    mongoUri,
    mongoKeysUri: environment.MONGODB_KEYS_URI ?? null,
    kafkaBrokers,
    kafkaSecurity: kafkaSecurityOf(environment),
    kafkaPartitions: environment.KAFKA_PARTITIONS,
    kafkaReplication: environment.KAFKA_REPLICATION,
    redisUrl,
    namePrefix: environment.NAME_PREFIX,
  };
}
