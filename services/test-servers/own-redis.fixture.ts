import { getContainerRuntimeClient } from 'testcontainers';
import { freePort } from './kafka-container.fixture.ts';
import { startRedis } from './start-servers.fixture.ts';

/** A Redis of one test's own, which may be cut off; its URL stays the same. */
export interface OwnRedis {
  readonly url: string;
  /** Kills it: connections break, and what it kept is gone. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Freezes it: connections stay and are taken, and nothing is answered. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  remove(): Promise<void>;
}

export async function startOwnRedis(): Promise<OwnRedis> {
  const { url, container } = await startRedis(await freePort());
  const handle = (await getContainerRuntimeClient()).container.getById(container.getId());
  let paused = false;
  const resume = async () => {
    if (paused) await handle.unpause();
    paused = false;
  };
  return {
    url,
    stop: () => handle.kill(),
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
