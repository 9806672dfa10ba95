import { getContainerRuntimeClient, type StartedTestContainer } from 'testcontainers';

/** A server of one test's own, whose life is in the test's hands; it keeps what it has written to disk. */
export interface HeldContainer {
  /** SIGKILL: connections break. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Freezes it: connections stay, requests are taken, and nothing is answered until it goes on. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  remove(): Promise<void>;
  /** Everything that it has printed. */
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
