import { getContainerRuntimeClient, type StartedTestContainer } from 'testcontainers';

/**
 * A server that only one test uses, so the test may kill or freeze it. Data that the server wrote to disk survives a
 * restart.
 */
export interface HeldContainer {
  /** Kills the server with SIGKILL, which breaks all connections. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Freezes the server. Its connections stay open, but no request gets a response until resume() is called. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  remove(): Promise<void>;
  /** Returns everything that the server has printed so far. */
  logs(): Promise<string>;
}

export async function holdContainer(container: StartedTestContainer): Promise<HeldContainer> {
  const handle = (await getContainerRuntimeClient()).container.getById(container.getId());
  let paused = false;
  const resume = async () => {
    if (paused) await handle.unpause();
    paused = false;
  };
  return {
    async kill() {
      await handle.kill();
    },
    async start() {
      await handle.start();
    },
    async pause() {
      await handle.pause();
      paused = true;
    },
    resume,
    async remove() {
      await resume();
      await handle.remove({ force: true, v: true });
    },
    async logs() {
      const lines = await handle.logs({ stdout: true, stderr: true });
      return lines.toString();
    },
  };
}
