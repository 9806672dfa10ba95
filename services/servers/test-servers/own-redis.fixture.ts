import { type HeldContainer, holdContainer } from './held-container.fixture.ts';
import { freePort } from './kafka-container.fixture.ts';
import { startRedis } from './start-servers.fixture.ts';

/** A Redis of one test's own, which may be cut off; its URL stays the same, and what it kept goes with its process. */
export interface OwnRedis extends HeldContainer {
  readonly url: string;
}

export async function startOwnRedis(): Promise<OwnRedis> {
  const { url, container } = await startRedis(await freePort());
  return { url, ...(await holdContainer(container)) };
}
