import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig } from './config.ts';

const REAL = {
  STRIPE_SECRET_KEY: 'sk_test_1',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_1',
  FIREBASE_PROJECT_ID: 'shop-1',
  FIREBASE_WEB_CONFIG: '{"apiKey":"k"}',
};

const SERVERS = {
  MONGODB_URI: 'mongodb://mongo:27017/shop',
  KAFKA_BROKERS: 'kafka-1:9092, kafka-2:9092',
  REDIS_URL: 'redis://redis:6379',
  ACCESS_TOKEN_SECRET: 'x'.repeat(32),
};
const DEMO_PROVIDERS = {
  DEMO: '1',
  STRIPE_SIMULATOR_URL: 'http://stripe:4010',
  FIREBASE_AUTH_EMULATOR_HOST: 'identity:9099',
};

function complaint(variables: Record<string, string>): string {
  try {
    readConfig(variables);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error('The configuration was taken.');
}

describe('configuration', () => {
  it('with no environment variables set, the default configuration is an embedded demo shop on loopback', () => {
    expect(readConfig({})).toMatchObject({
      host: '127.0.0.1',
      port: 8080,
      dataDir: '.data',
      rateLimit: false,
      unpaidOrderTtlMs: 86_400_000,
      processingTtlMs: 86_400_000,
      maxUnpaidOrders: 10,
      paymentMinimumTaka: 100,
      servers: null,
      providers: { mode: 'demo', isPublic: false, withData: true },
    });
  });

  it('durations, lists and flags are parsed from environment variables', () => {
    const config = readConfig({ UNPAID_ORDER_TTL: '90m', ADMIN_EMAILS: ' A@b.co , c@d.co', DEMO_DATA: '0', PORT: '0' });
    expect(config).toMatchObject({
      unpaidOrderTtlMs: 5_400_000,
      adminEmails: ['a@b.co', 'c@d.co'],
      providers: { withData: false },
      port: 0,
    });
  });

  it('the configuration error names every invalid variable on one line', () => {
    const line = complaint({ PORT: 'eighty', UNPAID_ORDER_TTL: 'soon', DEMO_DATA: 'yes' });
    expect(line).toMatch(/PORT .*UNPAID_ORDER_TTL .*|UNPAID_ORDER_TTL .*PORT .*/);
    expect(line).toContain('DEMO_DATA');
    expect(line).not.toContain('\n');
  });

  it('if a provider is only partly configured, the configuration error names its missing variables along with all other problems', () => {
    const line = complaint({ PORT: 'eighty', STRIPE_SECRET_KEY: 'sk_live_1', FIREBASE_WEB_CONFIG: '{' });
    for (const name of ['PORT', 'FIREBASE_WEB_CONFIG is not a JSON object', 'FIREBASE_PROJECT_ID is missing']) {
      expect(line).toContain(name);
    }
  });

  it('ORD6 an UNPAID_ORDER_TTL above 3650 days is refused', () => {
    expect(complaint({ UNPAID_ORDER_TTL: '999999999d' })).toBe('Configuration: UNPAID_ORDER_TTL is at most 3650d.');
  });

  it('PAY7 a PAYMENT_PROCESSING_TTL above 24 hours is refused', () => {
    expect(complaint({ PAYMENT_PROCESSING_TTL: '25h' })).toBe('Configuration: PAYMENT_PROCESSING_TTL is at most 24h.');
  });

  it('ORD6 an UNPAID_ORDER_TTL of zero is refused', () => {
    for (const text of ['0s', '0d', '0ms']) {
      expect(complaint({ UNPAID_ORDER_TTL: text })).toBe('Configuration: UNPAID_ORDER_TTL is above 0.');
    }
  });

  it('a full set of real provider keys is accepted, and turns rate limits on and demo data off', () => {
    const { providers, rateLimit } = readConfig(REAL);
    expect(rateLimit).toBe(true);
    expect(providers).toEqual({
      mode: 'live',
      stripe: { secretKey: 'sk_test_1', publishableKey: 'pk_test_1', webhookSecret: 'whsec_1' },
      firebase: { projectId: 'shop-1', webConfig: { apiKey: 'k' } },
    });
  });

  it('AUTH4 real provider keys are refused if they are combined with demo settings or if some are missing, and the error names the missing keys', () => {
    const line = complaint({ STRIPE_SECRET_KEY: 'sk_live_1' });
    for (const name of Object.keys(REAL).slice(1)) expect(line).toContain(name);
    expect(complaint({ ...REAL, DEMO: '1' })).toContain('DEMO ');
    expect(complaint({ ...REAL, FIREBASE_PROJECT_ID: 'demo-x' })).toContain('not signed');
  });

  it('AUTH4 a setting that opens a demo shop to other machines is refused unless DEMO_PUBLIC=1 is set', () => {
    const doors: Record<string, string>[] = [
      { HOST: '0.0.0.0' },
      { HOST: '0.0.0.0', DEMO: '1' },
      { HTTP_BIND: '0.0.0.0', HOST: '0.0.0.0', DEMO: '1' },
      { PUBLIC_ORIGIN: 'https://shop.example' },
      { ...SERVERS, ...DEMO_PROVIDERS, PUBLIC_ORIGIN: 'https://shop.example' },
    ];
    for (const door of doors) {
      expect(complaint(door)).toMatch(
        /^Configuration: (HOST|HTTP_BIND|PUBLIC_ORIGIN) \S+ opens a demo shop.*DEMO_PUBLIC=1/,
      );
      const open = { ...door, DEMO_PUBLIC: '1' };
      expect(readConfig(open)).toMatchObject({ providers: { isPublic: true }, rateLimit: true });
      expect(readConfig({ ...open, RATE_LIMIT: 'off' }).rateLimit).toBe(false);
    }
    const closedOnes: Record<string, string>[] = [
      {},
      { HOST: '::1' },
      { HTTP_BIND: '127.0.0.1', HOST: '0.0.0.0' },
      { PUBLIC_ORIGIN: 'http://localhost:8080' },
    ];
    for (const closed of closedOnes) {
      expect(readConfig(closed)).toMatchObject({ providers: { isPublic: false }, rateLimit: false });
    }
    expect(complaint({ ...REAL, DEMO_PUBLIC: '1' })).toContain('DEMO_PUBLIC ');
    expect(readConfig({ ...REAL, HOST: '0.0.0.0' }).providers.mode).toBe('live');
  });

  it('AUTH4 external demo providers, such as a Firebase emulator, are refused in an embedded shop and together with real provider keys', () => {
    expect(complaint({ FIREBASE_AUTH_EMULATOR_HOST: '127.0.0.1:9099' })).toContain('FIREBASE_AUTH_EMULATOR_HOST');
    expect(complaint({ ...REAL, ...SERVERS, ...DEMO_PROVIDERS })).toMatch(
      /STRIPE_SIMULATOR_URL.*FIREBASE_AUTH_EMULATOR_HOST/,
    );
  });

  it('a shop with real or demo providers runs on servers if MongoDB, Kafka and Redis are configured', () => {
    expect(readConfig({ ...REAL, ...SERVERS })).toMatchObject({
      servers: {
        mongoUri: 'mongodb://mongo:27017/shop',
        kafkaBrokers: ['kafka-1:9092', 'kafka-2:9092'],
        kafkaPartitions: 12,
        redisUrl: 'redis://redis:6379',
      },
      accessTokenSecret: SERVERS.ACCESS_TOKEN_SECRET,
      providers: { mode: 'live' },
    });
    expect(readConfig({ ...SERVERS, ...DEMO_PROVIDERS, HOST: '0.0.0.0', DEMO_PUBLIC: '1' })).toMatchObject({
      providers: { mode: 'demo', addresses: { simulatorUrl: 'http://stripe:4010', emulatorHost: 'identity:9099' } },
    });
    expect(readConfig({}).servers).toBeNull();
  });

  it('MAIL1 a mail server is accepted only if a sender address is set and, in a real shop, a public origin is set too', () => {
    const mail = { SMTP_URL: 'smtps://shop:secret@mail.example', MAIL_FROM: 'Micro Center <orders@shop.example>' };
    const live = { ...REAL, ...mail, PUBLIC_ORIGIN: 'https://shop.example' };
    expect(readConfig(live).mail).toEqual({ smtpUrl: mail.SMTP_URL, from: mail.MAIL_FROM });
    expect(readConfig({}).mail).toBeNull();
    expect(complaint({ ...REAL, ...mail })).toContain('PUBLIC_ORIGIN is missing beside SMTP_URL');
    expect(complaint({ SMTP_URL: 'smtp://127.0.0.1:1025' })).toContain('MAIL_FROM is missing beside SMTP_URL');
    for (const MAIL_FROM of ['orders', 'a@b\nBcc: c@d', 'a@b, c@d']) {
      expect(complaint({ ...live, MAIL_FROM })).toContain('MAIL_FROM is a sender');
    }
    expect(complaint({ ...live, SMTP_URL: 'http://mail.example' })).toContain('SMTP_URL begins with smtp://');
  });

  it('AUTH4 MAIL3 a demo can’t send real mail, because its visitors can enter any address', () => {
    const mail = { SMTP_URL: 'smtp://127.0.0.1:1025', MAIL_FROM: 'orders@shop.example' };
    expect(readConfig(mail).mail).toMatchObject({ smtpUrl: mail.SMTP_URL });
    expect(complaint({ ...mail, SMTP_URL: 'smtp://mail.example' })).toContain('SMTP_URL is for real provider keys');
  });

  it('a separate MongoDB deployment for the key vault is accepted only if the event log is in MongoDB too', () => {
    const keys = { MONGODB_KEYS_URI: 'mongodb://keeper:pw@keys:27017/shop_keys' };
    expect(readConfig({ ...REAL, ...SERVERS }).servers?.mongoKeysUri).toBeNull();
    expect(readConfig({ ...REAL, ...SERVERS, ...keys }).servers?.mongoKeysUri).toBe(keys.MONGODB_KEYS_URI);
    expect(complaint(keys)).toContain('MONGODB_KEYS_URI is not for the embedded shop');
    expect(complaint({ ...REAL, ...SERVERS, MONGODB_KEYS_URI: 'x' })).toContain('MONGODB_KEYS_URI begins with');
  });

  it('the configuration error names each missing server, secret and provider, and each invalid address', () => {
    expect(complaint({ ...REAL, MONGODB_URI: 'mongodb://x' })).toMatch(
      /KAFKA_BROKERS is missing.*REDIS_URL is missing.*ACCESS_TOKEN_SECRET is missing/,
    );
    expect(complaint({ ...SERVERS })).toMatch(/STRIPE_SIMULATOR_URL.*FIREBASE_AUTH_EMULATOR_HOST.*DEMO is not 1/);
    const line = complaint({ ...REAL, ...SERVERS, KAFKA_BROKERS: 'kafka', REDIS_URL: 'http://x', MONGODB_URI: 'x' });
    expect(line).toMatch(/MONGODB_URI begins.*KAFKA_BROKERS.*REDIS_URL begins/);
  });

  it('TLS and SASL settings for Kafka are accepted if they are complete and send no password in plaintext', () => {
    const kafka = (change: Record<string, string>) => ({ ...REAL, ...SERVERS, ...change });
    const plain = readConfig(kafka({})).servers?.kafkaSecurity;
    expect(plain).toEqual({ tls: null, sasl: null });
    const scram = { KAFKA_SASL: 'scram-sha-512', KAFKA_USERNAME: 'shop', KAFKA_PASSWORD: 'secret' };
    expect(readConfig(kafka({ ...scram, KAFKA_TLS: '1', KAFKA_CA_FILE: '/ca.pem' })).servers?.kafkaSecurity).toEqual({
      tls: { caFile: '/ca.pem', certFile: null, keyFile: null },
      sasl: { mechanism: 'scram-sha-512', username: 'shop', password: 'secret', passwordFile: null },
    });
    expect(complaint(kafka({ KAFKA_SASL: 'gssapi' }))).toContain('is plain, scram-sha-256 or scram-sha-512');
    expect(complaint(kafka({ KAFKA_CERT_FILE: '/c.pem' }))).toMatch(
      /KAFKA_KEY_FILE is missing.*KAFKA_TLS=1 is missing/,
    );
    expect(complaint(kafka({ KAFKA_KEY_FILE: '/k.pem', KAFKA_TLS: '1' }))).toContain('KAFKA_CERT_FILE is missing');
    expect(complaint(kafka({ KAFKA_SASL: 'plain' }))).toMatch(
      /KAFKA_USERNAME is missing.*KAFKA_PASSWORD_FILE or KAFKA_PASSWORD is missing.*in clear/,
    );
    expect(complaint(kafka({ KAFKA_USERNAME: 'shop' }))).toContain('KAFKA_SASL is missing');
    expect(complaint(kafka({ ...scram, KAFKA_PASSWORD_FILE: '/p' }))).toContain('one is enough');
  });

  it('a Redis URL with more than one server address is refused', () => {
    const many = complaint({ ...REAL, ...SERVERS, REDIS_URL: 'redis://one:6379,two:6379' });
    expect(many).toBe('Configuration: REDIS_URL names one server: no cluster, no sentinels.');
  });
});
