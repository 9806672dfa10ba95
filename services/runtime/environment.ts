import { z } from 'zod';
import { emailSchema } from '../contracts/request-fields.ts';

const UNIT_MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Ten years. Adding a much longer duration to a date would make the date invalid. */
const MAX_DURATION_MS = 3650 * UNIT_MS.d;

const matching = (pattern: RegExp, message: string) => z.string().regex(pattern, message);

/** Parses a duration such as `24h`, `90m`, `30s` or `500ms` into milliseconds. */
const durationSchema = matching(/^\d{1,9}(ms|s|m|h|d)$/, 'is a number and a unit: ms, s, m, h or d')
  .transform((text) => Number.parseInt(text, 10) * UNIT_MS[text.replace(/^\d+/, '') as keyof typeof UNIT_MS])
  .refine((milliseconds) => milliseconds > 0, 'is above 0')
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

const hostAndPort = matching(/^[^\s,/]+:\d{1,5}$/, 'is host:port');
const mongoUri = matching(/^mongodb(\+srv)?:\/\//, 'begins with mongodb:// or mongodb+srv://');
const positiveInteger = z.coerce.number({ error: 'is a whole number above 0' }).int().positive();

/** Checks each environment variable on its own. config.ts checks which variables may be combined. */
export const environmentSchema = z.object({
  HOST: z.string().default('127.0.0.1'),
  PORT: z.coerce.number({ error: 'is a port number' }).int().min(0).max(65_535).default(8080),
  DATA_DIR: z.string().default('.data'),
  PUBLIC_ORIGIN: z
    .url('is an address such as https://shop.example')
    .transform((address) => new URL(address).origin)
    .optional(),
  METRICS_TOKEN: z.string().min(16, 'has 16 characters or more').optional(),
  HTTP_BIND: z.string().optional(),
  TRUSTED_PROXIES: z.coerce.number({ error: 'is a number of proxies' }).int().min(0).max(16).default(0),
  MONGODB_URI: mongoUri.optional(),
  MONGODB_KEYS_URI: mongoUri.optional(),
  STORE_TIMEOUT: durationSchema
    .refine((milliseconds) => milliseconds >= 100 && milliseconds <= UNIT_MS.m, 'is between 100ms and 1m')
    .default(1_500),
  KAFKA_BROKERS: commaList.pipe(z.array(hostAndPort).min(1)).optional(),
  KAFKA_TLS: flagSchema.default(false),
  KAFKA_CA_FILE: z.string().optional(),
  KAFKA_CERT_FILE: z.string().optional(),
  KAFKA_KEY_FILE: z.string().optional(),
  KAFKA_SASL: z
    .enum(['plain', 'scram-sha-256', 'scram-sha-512'], { error: 'is plain, scram-sha-256 or scram-sha-512' })
    .optional(),
  KAFKA_USERNAME: z.string().optional(),
  KAFKA_PASSWORD: z.string().optional(),
  KAFKA_PASSWORD_FILE: z.string().optional(),
  KAFKA_PARTITIONS: positiveInteger.default(12),
  KAFKA_REPLICATION: positiveInteger.default(1),
  REDIS_URL: matching(/^rediss?:\/\//, 'begins with redis:// or rediss://')
    .refine((url) => !url.slice(url.lastIndexOf('@') + 1).includes(','), 'names one server: no cluster, no sentinels')
    .optional(),
  NAME_PREFIX: matching(
    /^[a-z0-9][a-z0-9-]{0,40}$/,
    'is a short name of lower-case letters, digits and hyphens',
  ).default('micro-center'),
  STRIPE_SIMULATOR_URL: z.url('is an address such as http://127.0.0.1:4010').optional(),
  FIREBASE_AUTH_EMULATOR_HOST: hostAndPort.optional(),
  DEMO_DATA: flagSchema.optional(),
  ADMIN_EMAILS: commaList.pipe(z.array(emailSchema)).default([]),
  ACCESS_TOKEN_SECRET: z.string().min(32, 'has 32 characters or more').optional(),
  UNPAID_ORDER_TTL: durationSchema.default(UNIT_MS.d),
  PAYMENT_PROCESSING_TTL: durationSchema
    .refine((milliseconds) => milliseconds <= UNIT_MS.d, 'is at most 24h')
    .default(UNIT_MS.d),
  MAX_UNPAID_ORDERS: z.coerce.number({ error: 'is a whole number' }).int().min(0).max(1_000).default(10),
  PAYMENT_MINIMUM: z.coerce.number({ error: 'is a whole number of taka' }).int().nonnegative().default(100),
  RATE_LIMIT: z.enum(['on', 'off'], { error: 'is on or off' }).optional(),
  DEMO: flagSchema.default(false),
  DEMO_PUBLIC: flagSchema.default(false),
  STRIPE_SECRET_KEY: matching(/^(sk|rk)_/, 'begins with sk_ or rk_').optional(),
  STRIPE_PUBLISHABLE_KEY: matching(/^pk_/, 'begins with pk_').optional(),
  STRIPE_WEBHOOK_SECRET: matching(/^whsec_/, 'begins with whsec_').optional(),
  FIREBASE_PROJECT_ID: z.string().optional(),
  FIREBASE_WEB_CONFIG: jsonObject.optional(),
  SMTP_URL: matching(/^smtps?:\/\/[^\s/]/, 'begins with smtp:// or smtps://')
    .refine((url) => URL.canParse(url), 'is an address such as smtps://user:password@mail.example')
    .optional(),
  MAIL_FROM: z
    .string()
    .max(200)
    .regex(/^([^<>@\r\n]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/, 'is a sender such as Shop <orders@shop.example>')
    .optional(),
  CORS_ORIGINS: commaList.pipe(z.array(z.url('holds addresses such as https://shop.example'))).default([]),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
});
export type Environment = z.infer<typeof environmentSchema>;
