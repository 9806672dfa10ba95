import { z } from 'zod';
import { emailSchema } from '../contracts/http.ts';

/** Where card payments are made. */
export type StripeConfig =
  | { readonly mode: 'demo' }
  | {
      readonly mode: 'live';
      readonly secretKey: string;
      readonly publishableKey: string;
      readonly webhookSecret: string;
    };

/** Who signs people in. */
export type FirebaseConfig =
  | { readonly mode: 'demo'; readonly projectId: string }
  | { readonly mode: 'live'; readonly projectId: string; readonly webConfig: Readonly<Record<string, unknown>> };

/** The embedded shop's whole configuration. Times in milliseconds, amounts in whole taka. */
export interface Config {
  readonly host: string;
  /** 0 takes a free port */
  readonly port: number;
  readonly dataDir: string;
  readonly demoData: boolean;
  readonly adminEmails: readonly string[];
  /** null: made once and kept in dataDir */
  readonly accessTokenSecret: string | null;
  readonly unpaidOrderTtlMs: number;
  readonly paymentMinimumTaka: number;
  readonly rateLimit: boolean;
  readonly stripe: StripeConfig;
  readonly firebase: FirebaseConfig;
  readonly corsOrigins: readonly string[];
  readonly logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';
}

/** The environment does not make a configuration: the message names every variable that is wrong, in one line. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

export const DEMO_PROJECT_ID = 'demo-micro-center';
const LOOPBACK = /^(127\.\d+\.\d+\.\d+|::1|localhost)$/;
const UNIT_MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Ten years: far beyond it, a time so long from now could not be written as a date. */
const MAX_DURATION_MS = 3650 * UNIT_MS.d;

/** A duration such as `24h`, `90m`, `30s` or `500ms`, in milliseconds. */
const durationSchema = z
  .string()
  .regex(/^\d{1,9}(ms|s|m|h|d)$/, 'is a number and a unit: ms, s, m, h or d')
  .transform((text) => Number.parseInt(text, 10) * UNIT_MS[text.replace(/^\d+/, '') as keyof typeof UNIT_MS])
  .refine((milliseconds) => milliseconds <= MAX_DURATION_MS, 'is at most 3650d');

const flagSchema = z.enum(['0', '1'], { error: 'is 0 or 1' }).transform((flag) => flag === '1');
const commaList = z.string().transform((text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean),
);
const jsonObject = z.string().transform((text, context) => {
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(text));
  } catch {
    context.addIssue({ code: 'custom', message: 'is not a JSON object' });
    return z.NEVER;
  }
});

const environmentSchema = z.object({
  HOST: z.string().default('127.0.0.1'),
  PORT: z.coerce.number({ error: 'is a port number' }).int().min(0).max(65_535).default(8080),
  DATA_DIR: z.string().default('.data'),
  DEMO_DATA: flagSchema.optional(),
  ADMIN_EMAILS: commaList.pipe(z.array(emailSchema)).default([]),
  ACCESS_TOKEN_SECRET: z.string().min(32, 'has 32 bytes or more').optional(),
  UNPAID_ORDER_TTL: durationSchema.default(UNIT_MS.d),
  PAYMENT_MINIMUM: z.coerce.number({ error: 'is a whole number of taka' }).int().nonnegative().default(100),
  RATE_LIMIT: z.enum(['on', 'off'], { error: 'is on or off' }).optional(),
  DEMO: flagSchema.default(false),
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^(sk|rk)_/, 'begins with sk_ or rk_')
    .optional(),
  STRIPE_PUBLISHABLE_KEY: z.string().regex(/^pk_/, 'begins with pk_').optional(),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .regex(/^whsec_/, 'begins with whsec_')
    .optional(),
  FIREBASE_PROJECT_ID: z.string().optional(),
  FIREBASE_WEB_CONFIG: jsonObject.optional(),
  CORS_ORIGINS: commaList.pipe(z.array(z.url('holds addresses such as https://shop.example'))).default([]),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
});
type Environment = z.infer<typeof environmentSchema>;

const REAL_PROVIDER_VARIABLES = [
  'STRIPE_SECRET_KEY',
  'STRIPE_PUBLISHABLE_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'FIREBASE_PROJECT_ID',
  'FIREBASE_WEB_CONFIG',
] as const;

/** Variables of the distributed roles: an embedded shop that was given them would not do what was asked. */
const DISTRIBUTED_VARIABLES = [
  'MONGODB_URI',
  'KAFKA_BROKERS',
  'REDIS_URL',
  'STRIPE_SIMULATOR_URL',
  'FIREBASE_AUTH_EMULATOR_HOST',
] as const;

/** Reads the configuration of the embedded shop from the environment, once. @throws ConfigError */
export function readConfig(variables: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.fromEntries(
    Object.entries(variables).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = environmentSchema.safeParse(given);
  const complaints = parsed.success
    ? []
    : parsed.error.issues.map((issue) => `${String(issue.path[0])} ${issue.message}`);
  for (const name of DISTRIBUTED_VARIABLES) {
    if (name in given) complaints.push(`${name} is not for the embedded shop`);
  }
  complaints.push(...missingProviders(given));
  if (parsed.success) complaints.push(...modeComplaints(parsed.data));
  if (!parsed.success || complaints.length > 0) throw new ConfigError(`Configuration: ${complaints.join('; ')}.`);
  return toConfig(parsed.data);
}

/** Real providers come all together or not at all (AUTH4). */
function missingProviders(given: Readonly<Record<string, unknown>>): string[] {
  const set = REAL_PROVIDER_VARIABLES.filter((name) => name in given);
  const missing = REAL_PROVIDER_VARIABLES.filter((name) => !(name in given));
  return set.length > 0 ? missing.map((name) => `${name} is missing beside ${set.join(', ')}`) : [];
}

/** Demo mode is what no provider key gives: it stays apart from the real providers and from the network (AUTH4). */
function modeComplaints(environment: Environment): string[] {
  const complaints: string[] = [];
  if (REAL_PROVIDER_VARIABLES.some((name) => environment[name] !== undefined)) {
    if (environment.DEMO) complaints.push('DEMO is for demo mode, not beside real provider keys');
    if (environment.DEMO_DATA) complaints.push('DEMO_DATA is for demo mode, not beside real provider keys');
    if (environment.FIREBASE_PROJECT_ID?.startsWith('demo-')) {
      complaints.push('FIREBASE_PROJECT_ID names a demo project, whose tokens are not signed');
    }
  } else if (!LOOPBACK.test(environment.HOST) && !environment.DEMO) {
    complaints.push(`HOST ${environment.HOST} opens a demo shop to the network: set DEMO=1 if that is meant`);
  }
  return complaints;
}

function toConfig(environment: Environment): Config {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_PUBLISHABLE_KEY: publishableKey } = environment;
  const { STRIPE_WEBHOOK_SECRET: webhookSecret, FIREBASE_PROJECT_ID: projectId } = environment;
  const { FIREBASE_WEB_CONFIG: webConfig } = environment;
  const live = secretKey && publishableKey && webhookSecret && projectId && webConfig;
  return {
    host: environment.HOST,
    port: environment.PORT,
    dataDir: environment.DATA_DIR,
    demoData: environment.DEMO_DATA ?? !live,
    adminEmails: environment.ADMIN_EMAILS,
    accessTokenSecret: environment.ACCESS_TOKEN_SECRET ?? null,
    unpaidOrderTtlMs: environment.UNPAID_ORDER_TTL,
    paymentMinimumTaka: environment.PAYMENT_MINIMUM,
    rateLimit: environment.RATE_LIMIT ? environment.RATE_LIMIT === 'on' : Boolean(live),
    stripe: live ? { mode: 'live', secretKey, publishableKey, webhookSecret } : { mode: 'demo' },
    firebase: live ? { mode: 'live', projectId, webConfig } : { mode: 'demo', projectId: DEMO_PROJECT_ID },
    corsOrigins: environment.CORS_ORIGINS,
    logLevel: environment.LOG_LEVEL,
  };
}
