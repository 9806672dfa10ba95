import { getContainerRuntimeClient } from 'testcontainers';
import { startKafkaCluster } from './kafka-container.fixture.ts';

/** A broker of one test's own, which may be cut off; it keeps its address and what was written. */
export interface OwnKafka {
  /** `host:port` */
  readonly host: string;
  /** Kills it: connections break. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Freezes it: connections stay, requests are taken, and nothing is answered until it goes on. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  remove(): Promise<void>;
}

export async function startOwnKafka(): Promise<OwnKafka> {
  const [broker] = await startKafkaCluster(1);
  if (!broker) throw new Error('No Kafka broker was started.');
  const handle = (await getContainerRuntimeClient()).container.getById(broker.container.getId());
  let paused = false;
  const resume = async () => {
    if (paused) await handle.unpause();
    paused = false;
  };
  return {
    host: broker.host,
    kill: () => handle.kill(),
    start: () => handle.start(),
    async pause() {
      await handle.pause();
      paused = true;
    },
    resume,
    async remove() {
      await resume();
      await handle.remove({ force: true, v: true });
    },
  };
}
