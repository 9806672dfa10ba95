import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readConfig } from '../../runtime/config.ts';
import { type Certificates, makeCertificates } from '../test-servers/certificates.fixture.ts';
import { type KafkaBroker, startKafkaCluster } from '../test-servers/kafka-container.fixture.ts';
import { loadKafkaSecurity } from './kafka-security.ts';
import { createKafkaCluster } from './kafkajs-cluster.ts';
import { topicSettings } from './topics.ts';

const PASSWORD = randomBytes(12).toString('hex');
let certificates: Certificates;
let broker: KafkaBroker;

beforeAll(async () => {
  certificates = makeCertificates();
  writeFileSync(join(certificates.folder, 'password'), `${PASSWORD}\n`);
  const { ca, server } = certificates;
  const ssl = 'KAFKA_LISTENER_NAME_HOST_SSL';
  const [started] = await startKafkaCluster(1, undefined, {
    files: [
      { content: server.key + server.cert, target: '/tmp/server.pem' },
      { content: ca, target: '/tmp/ca.pem' },
    ],
    environment: {
      KAFKA_LISTENER_SECURITY_PROTOCOL_MAP: 'CONTROLLER:PLAINTEXT,INTERNAL:PLAINTEXT,HOST:SASL_SSL',
      [`${ssl}_KEYSTORE_TYPE`]: 'PEM',
      [`${ssl}_KEYSTORE_LOCATION`]: '/tmp/server.pem',
      [`${ssl}_TRUSTSTORE_TYPE`]: 'PEM',
      [`${ssl}_TRUSTSTORE_LOCATION`]: '/tmp/ca.pem',
      [`${ssl}_CLIENT_AUTH`]: 'required',
      KAFKA_LISTENER_NAME_HOST_SASL_ENABLED_MECHANISMS: 'PLAIN',
      KAFKA_LISTENER_NAME_HOST_PLAIN_SASL_JAAS_CONFIG: `org.apache.kafka.common.security.plain.PlainLoginModule required user_shop="${PASSWORD}";`,
    },
  });
  if (!started) throw new Error('No Kafka broker was started.');
  broker = started;
});
afterAll(async () => {
  await broker?.container.stop();
  certificates.remove();
});

/** Returns the environment variables of a shop that uses this broker. */
function variables(change: Record<string, string> = {}): Record<string, string> {
  const file = (name: string) => join(certificates.folder, name);
  return {
    MONGODB_URI: 'mongodb://127.0.0.1',
    REDIS_URL: 'redis://127.0.0.1',
    ACCESS_TOKEN_SECRET: 'x'.repeat(32),
    DEMO: '1',
    STRIPE_SIMULATOR_URL: 'http://127.0.0.1:1',
    FIREBASE_AUTH_EMULATOR_HOST: '127.0.0.1:1',
    KAFKA_BROKERS: broker.host,
    KAFKA_TLS: '1',
    KAFKA_CA_FILE: file('ca.pem'),
    KAFKA_CERT_FILE: file('client.pem'),
    KAFKA_KEY_FILE: file('client.key'),
    KAFKA_SASL: 'plain',
    KAFKA_USERNAME: 'shop',
    KAFKA_PASSWORD_FILE: file('password'),
    ...change,
  };
}

function connect(change: Record<string, string> = {}) {
  const { servers } = readConfig(variables(change));
  if (!servers) throw new Error('The configuration names no servers.');
  const security = loadKafkaSecurity(servers.kafkaSecurity);
  return createKafkaCluster({ brokers: servers.kafkaBrokers, clientId: 'secure', security, onLog: () => {} });
}

it('FEED1 the Kafka client sends and consumes over TLS, with a client certificate and a password', async () => {
  const cluster = connect();
  const name = randomBytes(6).toString('hex');
  expect(await cluster.createTopics(topicSettings(name, { partitions: 1, replication: 1 }))).toEqual([]);
  const to = { topic: `${name}.order`, partition: 0 };
  expect(await cluster.send(to, [{ key: 'a', value: 'sealed', headers: {} }])).toEqual([to]);
  const read: (string | undefined)[] = [];
  cluster.consume({
    group: name,
    topics: [to.topic],
    partitionsAtOnce: 1,
    async onBatch(batch) {
      read.push(...batch.messages.map(({ value }) => value?.toString()));
      batch.advance(batch.messages.at(-1)?.offset ?? 0);
      return null;
    },
    onAssigned: () => {},
    onError: () => {},
  });
  await expect.poll(() => read, { timeout: 20_000 }).toEqual(['sealed']);
  await cluster.close();
});

it.each([
  ['a wrong password', { KAFKA_PASSWORD: 'wrong', KAFKA_PASSWORD_FILE: '' }],
  ['no client certificate', { KAFKA_CERT_FILE: '', KAFKA_KEY_FILE: '' }],
  ['no certificate authority', { KAFKA_CA_FILE: '' }],
])('a connection to Kafka with %s fails', async (_what, change) => {
  const cluster = connect(change);
  await expect(cluster.createTopics(topicSettings('none', { partitions: 1, replication: 1 }))).rejects.toThrow();
  await cluster.close();
});
