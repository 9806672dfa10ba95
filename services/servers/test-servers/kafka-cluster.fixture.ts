import { Network } from 'testcontainers';
import { type HeldContainer, holdContainer } from './held-container.fixture.ts';
import { startKafkaCluster } from './kafka-container.fixture.ts';

/** A broker that a test may kill or freeze. It is also one of the cluster's controllers. */
export interface HeldBroker extends HeldContainer {
  readonly nodeId: number;
  readonly host: string;
}

/** A cluster of three brokers that a test may kill or freeze. */
export interface HeldCluster {
  readonly brokers: readonly HeldBroker[];
  /** Returns the broker that is currently the active controller. */
  controller(): Promise<HeldBroker>;
  remove(): Promise<void>;
}

const LED = /Completed transition to Leader\(.*?\bepoch=(\d+)/g;

/**
 * Returns the latest epoch in which the broker was the active controller, according to the broker's log. Returns 0 if
 * the broker was never the active controller.
 */
async function newestLed(broker: HeldBroker): Promise<number> {
  const epochs = [...(await broker.logs()).matchAll(LED)].map(([, epoch]) => Number(epoch));
  return Math.max(0, ...epochs);
}

export async function startHeldCluster(): Promise<HeldCluster> {
  const network = await new Network().start();
  const started = await startKafkaCluster(3, network);
  const brokers = await Promise.all(
    started.map(async ({ nodeId, host, container }) => ({ nodeId, host, ...(await holdContainer(container)) })),
  );
  return {
    brokers,
    async controller() {
      const led = await Promise.all(brokers.map(newestLed));
      const leader = brokers[led.indexOf(Math.max(...led))];
      if (!leader) throw new Error('No broker has ever been the active controller.');
      return leader;
    },
    async remove() {
      await Promise.all(brokers.map((broker) => broker.remove()));
      await network.stop();
    },
  };
}
