import { createServer } from 'node:net';
import { GenericContainer, type StartedNetwork, type StartedTestContainer, Wait } from 'testcontainers';

const KAFKA_IMAGE = 'apache/kafka:4.3.1';
/** An arbitrary id for the test clusters. */
const CLUSTER_ID = 'bWljcm8tY2VudGVyLXRlc3Q';

/** Broker settings that let tests notice a dead broker or consumer within seconds instead of minutes. */
const QUICK = {
  KAFKA_GROUP_INITIAL_REBALANCE_DELAY_MS: '0',
  KAFKA_GROUP_MIN_SESSION_TIMEOUT_MS: '1000',
  KAFKA_BROKER_SESSION_TIMEOUT_MS: '2000',
  KAFKA_BROKER_HEARTBEAT_INTERVAL_MS: '300',
  KAFKA_AUTO_CREATE_TOPICS_ENABLE: 'false',
  KAFKA_OFFSETS_TOPIC_NUM_PARTITIONS: '3',
};

/** A broker that is also a controller. Clients reach it at `host`, which stays the same after a restart. */
export interface KafkaBroker {
  readonly nodeId: number;
  readonly host: string;
  readonly container: StartedTestContainer;
}

/** Returns a port on 127.0.0.1 that is currently free. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address ? address.port : 0;
}

/**
 * Starts brokers that form one cluster. Each has a fixed port on 127.0.0.1, because brokers advertise their addresses
 * to clients, and a random port would change when the container restarts. Topics have 3 replicas if there are at least
 * 3 brokers, and 1 otherwise. `change` adds environment variables and files to each broker.
 */
export async function startKafkaCluster(
  brokers: number,
  network?: StartedNetwork,
  change: {
    readonly environment?: Record<string, string>;
    readonly files?: { content: string; target: string }[];
  } = {},
): Promise<KafkaBroker[]> {
  const nodes = await Promise.all(
    Array.from({ length: brokers }, async (_, index) => ({ nodeId: index + 1, port: await freePort() })),
  );
  const voters = nodes
    .map(({ nodeId }) => `${nodeId}@${brokers === 1 ? 'localhost' : `kafka-${nodeId}`}:9093`)
    .join(',');
  const replication = brokers >= 3 ? '3' : '1';
  const inSync = brokers >= 3 ? '2' : '1';
  return Promise.all(
    nodes.map(async ({ nodeId, port }) => {
      const inner = brokers === 1 ? 'localhost' : `kafka-${nodeId}`;
      const container = new GenericContainer(KAFKA_IMAGE)
        .withEnvironment({
          ...QUICK,
          CLUSTER_ID,
          KAFKA_NODE_ID: String(nodeId),
          KAFKA_PROCESS_ROLES: 'broker,controller',
          KAFKA_CONTROLLER_QUORUM_VOTERS: voters,
          KAFKA_CONTROLLER_LISTENER_NAMES: 'CONTROLLER',
          KAFKA_LISTENERS: 'CONTROLLER://:9093,INTERNAL://:19092,HOST://:9092',
          KAFKA_ADVERTISED_LISTENERS: `INTERNAL://${inner}:19092,HOST://127.0.0.1:${port}`,
          KAFKA_LISTENER_SECURITY_PROTOCOL_MAP: 'CONTROLLER:PLAINTEXT,INTERNAL:PLAINTEXT,HOST:PLAINTEXT',
          KAFKA_INTER_BROKER_LISTENER_NAME: 'INTERNAL',
          KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR: replication,
          KAFKA_TRANSACTION_STATE_LOG_REPLICATION_FACTOR: replication,
          KAFKA_TRANSACTION_STATE_LOG_MIN_ISR: inSync,
          KAFKA_DEFAULT_REPLICATION_FACTOR: replication,
          KAFKA_MIN_INSYNC_REPLICAS: inSync,
          ...change.environment,
        })
        .withCopyContentToContainer(change.files?.map((file) => ({ ...file, mode: 0o644 })) ?? [])
        .withExposedPorts({ container: 9092, host: port })
        .withWaitStrategy(Wait.forLogMessage('Kafka Server started'));
      if (network) container.withNetwork(network).withNetworkAliases(inner);
      return { nodeId, host: `127.0.0.1:${port}`, container: await container.start() };
    }),
  );
}
