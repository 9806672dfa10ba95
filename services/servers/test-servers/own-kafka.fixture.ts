import { type HeldContainer, holdContainer } from './held-container.fixture.ts';
import { startKafkaCluster } from './kafka-container.fixture.ts';

/**
 * A broker that only one test uses, so the test may kill or freeze it. A restart keeps the broker's address and data.
 */
export interface OwnKafka extends HeldContainer {
  /** `host:port` */
  readonly host: string;
}

export async function startOwnKafka(): Promise<OwnKafka> {
  const [broker] = await startKafkaCluster(1);
  if (!broker) throw new Error('No Kafka broker was started.');
  return { host: broker.host, ...(await holdContainer(broker.container)) };
}
