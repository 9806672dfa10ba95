import { type Environment, environmentSchema } from './environment.ts';
import { isLoopback } from './own-host.ts';
import { ReadableError } from './readable-error.ts';

/**
 * The configuration, with times in milliseconds and amounts in whole taka. It has one of four modes: the shop is
 * embedded or on servers, and its providers are the real ones or a demo's.
 */
export type Config = Readonly<ReturnType<typeof configOf>>;
export type EmbeddedConfig = Extract<Config, { servers: null }>;
export type ServersConfig = Exclude<Config, EmbeddedConfig>;
export type Servers = ServersConfig['servers'];
/** The real Stripe and Firebase, or a demo's providers once they have addresses. */
export type Providers = ServersConfig['providers'];
export type Demo = Extract<Providers, { mode: 'demo' }>;
export type DemoAddresses = Demo['addresses'];
export type KafkaSecurityConfig = Servers['kafkaSecurity'];
/** The configuration of a shop whose providers can be called. */
export type ShopConfig = Config & { readonly providers: Providers };
/** The mail server and the sender address for mail to customers. */
export type MailConfig = NonNullable<Config['mail']>;

/** Thrown if the configuration is invalid. The message lists every invalid variable on a single line. */
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

/**
 * If all of these variables are set, the shop uses MongoDB, Kafka and Redis servers. If none is set, the shop is
 * embedded and keeps its data in local files.
 */
const SERVER_VARIABLES = ['MONGODB_URI', 'KAFKA_BROKERS', 'REDIS_URL'] as const;
/**
 * A demo that uses MongoDB, Kafka and Redis servers needs these variables, because it doesn't start its own Stripe
 * simulator and Firebase emulator.
 */
const DEMO_PROVIDER_VARIABLES = ['STRIPE_SIMULATOR_URL', 'FIREBASE_AUTH_EMULATOR_HOST'] as const;

/** @throws ConfigError */
export function readConfig(variables: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.fromEntries(
    Object.entries(variables).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = environmentSchema.safeParse(given);
  const complaints = parsed.success
    ? []
    : parsed.error.issues.map((issue) => `${String(issue.path[0])} ${issue.message}`);
  complaints.push(...halfSet(given, SERVER_VARIABLES), ...halfSet(given, REAL_PROVIDER_VARIABLES));
  complaints.push(...halfSet(given, ['SMTP_URL', 'MAIL_FROM']));
  complaints.push(...serverComplaints(given), ...kafkaComplaints(given));
  if (parsed.success) complaints.push(...modeComplaints(parsed.data));
  if (!parsed.success || complaints.length > 0) throw new ConfigError(`Configuration: ${complaints.join('; ')}.`);
  return configOf(parsed.data);
}

type Given = Readonly<Record<string, unknown>>;

/**
 * Returns an error message for each missing variable if only some of these variables are set. They must be set together
 * or not at all (AUTH4).
 */
function halfSet(given: Given, names: readonly string[]): string[] {
  const set = names.filter((name) => name in given);
  const missing = names.filter((name) => !(name in given));
  return set.length > 0 ? missing.map((name) => `${name} is missing beside ${set.join(', ')}`) : [];
}

/**
 * Checks the variables that a shop needs if it uses MongoDB, Kafka and Redis servers, and those that an embedded shop
 * must not have. A shop that uses servers may have several processes, which must share one secret. In a demo, the
 * providers have to be started separately, because none of these processes can start them for the others.
 */
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

/** Rejects Kafka variables whose companion variable is missing, and a password that would be sent in clear text. */
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

/** A demo must not touch real providers, and other machines may reach it only if DEMO_PUBLIC allows that (AUTH4). */
function modeComplaints(environment: Environment): string[] {
  const complaints: string[] = [];
  if (REAL_PROVIDER_VARIABLES.some((name) => environment[name] !== undefined)) {
    for (const name of ['DEMO', 'DEMO_PUBLIC', 'DEMO_DATA'] as const) {
      if (environment[name]) complaints.push(`${name} is for demo mode, not beside real provider keys`);
    }
    if (environment.FIREBASE_PROJECT_ID?.startsWith('demo-')) {
      complaints.push('FIREBASE_PROJECT_ID names a demo project, whose tokens are not signed');
    }
    if (environment.SMTP_URL && !environment.PUBLIC_ORIGIN) {
      complaints.push('PUBLIC_ORIGIN is missing beside SMTP_URL: mails link to it');
    }
  } else {
    if (environment.SMTP_URL && !isLoopback(new URL(environment.SMTP_URL).hostname)) {
      complaints.push('SMTP_URL is for real provider keys, except on loopback: anyone could mail others from a demo');
    }
    const door = openDoor(environment);
    if (door && !environment.DEMO_PUBLIC) {
      complaints.push(
        `${door} opens a demo shop to other machines, and anyone can become its admin: set DEMO_PUBLIC=1 to allow that`,
      );
    }
  }
  return complaints;
}

/**
 * Returns the name and value of the environment variable that opens the shop to other machines, or null if only this
 * machine can reach the shop. In a container, HTTP_BIND overrides HOST.
 */
function openDoor({ HTTP_BIND, HOST, PUBLIC_ORIGIN }: Environment): string | null {
  const listens = HTTP_BIND ?? HOST;
  if (!isLoopback(listens)) return `${HTTP_BIND ? 'HTTP_BIND' : 'HOST'} ${listens}`;
  const named = PUBLIC_ORIGIN !== undefined && !isLoopback(new URL(PUBLIC_ORIGIN).hostname);
  return named ? `PUBLIC_ORIGIN ${PUBLIC_ORIGIN}` : null;
}

function configOf(environment: Environment) {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_PUBLISHABLE_KEY: publishableKey } = environment;
  const { STRIPE_WEBHOOK_SECRET: webhookSecret, FIREBASE_PROJECT_ID: projectId } = environment;
  const { FIREBASE_WEB_CONFIG: webConfig, SMTP_URL: smtpUrl, MAIL_FROM: from } = environment;
  const real = secretKey &&
    publishableKey &&
    webhookSecret &&
    projectId &&
    webConfig && {
      mode: 'live' as const,
      stripe: { secretKey, publishableKey, webhookSecret },
      firebase: { projectId, webConfig },
    };
  const demo = {
    mode: 'demo' as const,
    /** True if other machines can reach the demo. modeComplaints() has checked that DEMO_PUBLIC allows this. */
    isPublic: openDoor(environment) !== null,
    /** whether the shop adds the demo's products and reviews */
    withData: environment.DEMO_DATA ?? true,
  };
  const settings = {
    host: environment.HOST,
    /** 0 means any free port */
    port: environment.PORT,
    dataDir: environment.DATA_DIR,
    /** the shop's public address without a trailing slash, or null if browsers connect to HOST and PORT directly */
    publicOrigin: environment.PUBLIC_ORIGIN ?? null,
    /** number of reverse proxies whose X-Forwarded-For header is trusted */
    trustedProxies: environment.TRUSTED_PROXIES,
    /** the bearer token for /metrics, or null to serve /metrics only on loopback */
    metricsToken: environment.METRICS_TOKEN ?? null,
    adminEmails: environment.ADMIN_EMAILS,
    /** how long a request waits for a single response from the store, in ms (CMD7) */
    storeTimeoutMs: environment.STORE_TIMEOUT,
    unpaidOrderTtlMs: environment.UNPAID_ORDER_TTL,
    /** how long an order waits for a payment that Stripe is processing (PAY7) */
    processingTtlMs: environment.PAYMENT_PROCESSING_TTL,
    /** the maximum number of unpaid orders per customer; 0 disables every limit on a customer's orders */
    maxUnpaidOrders: environment.MAX_UNPAID_ORDERS,
    paymentMinimumTaka: environment.PAYMENT_MINIMUM,
    rateLimit: environment.RATE_LIMIT ? environment.RATE_LIMIT === 'on' : Boolean(real) || demo.isPublic,
    /**
     * `smtpUrl` may contain a password. If `mail` is null, a real shop sends no e-mail, and a demo's e-mails appear
     * only in its own mailbox.
     */
    mail: smtpUrl && from ? { smtpUrl, from } : null,
    corsOrigins: environment.CORS_ORIGINS,
    logLevel: environment.LOG_LEVEL,
  };
  const servers = serversOf(environment);
  const { ACCESS_TOKEN_SECRET: accessTokenSecret = null } = environment;
  // An embedded shop without a secret generates one, and an embedded demo starts its own providers.
  if (!servers || !accessTokenSecret) return { ...settings, servers: null, accessTokenSecret, providers: real || demo };
  /** e.g. `http://127.0.0.1:4010`, and host:port; serverComplaints() has checked that a demo has both */
  const { STRIPE_SIMULATOR_URL: simulatorUrl = '', FIREBASE_AUTH_EMULATOR_HOST: emulatorHost = '' } = environment;
  const providers = real || { ...demo, addresses: { simulatorUrl, emulatorHost } };
  return { ...settings, servers, accessTokenSecret, providers };
}

function serversOf(environment: Environment) {
  const { MONGODB_URI: mongoUri, KAFKA_BROKERS: kafkaBrokers, REDIS_URL: redisUrl } = environment;
  if (!mongoUri || !kafkaBrokers || !redisUrl) return null;
  return {
    mongoUri,
    /** URI of the MongoDB deployment that stores keys and secrets, or null if they're in a separate database on the log's deployment */
    mongoKeysUri: environment.MONGODB_KEYS_URI ?? null,
    /** host:port of each broker */
    kafkaBrokers,
    kafkaSecurity: kafkaSecurityOf(environment),
    /** the number of partitions and the replication factor of topics that the shop creates; existing topics aren't changed */
    kafkaPartitions: environment.KAFKA_PARTITIONS,
    kafkaReplication: environment.KAFKA_REPLICATION,
    redisUrl,
    /** prefix for the names of topics, consumer groups, channels and keys, so that several shops can share servers */
    namePrefix: environment.NAME_PREFIX,
  };
}

/** Returns the names of the certificate, key and password files. kafka-security.ts reads the files themselves. */
function kafkaSecurityOf(environment: Environment) {
  const {
    KAFKA_CA_FILE: caFile = null,
    KAFKA_CERT_FILE: certFile = null,
    KAFKA_KEY_FILE: keyFile = null,
  } = environment;
  const { KAFKA_SASL: mechanism, KAFKA_USERNAME: username } = environment;
  const { KAFKA_PASSWORD: password = null, KAFKA_PASSWORD_FILE: passwordFile = null } = environment;
  return {
    tls: environment.KAFKA_TLS ? { caFile, certFile, keyFile } : null,
    /** has either `password` or `passwordFile` */
    sasl: mechanism && username ? { mechanism, username, password, passwordFile } : null,
  };
}
