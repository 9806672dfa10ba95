import { type HeldContainer, holdContainer } from './held-container.fixture.ts';
import { freePort } from './kafka-container.fixture.ts';
import { startRedis } from './start-servers.fixture.ts';

/**
 * A Redis server that only one test uses, so the test may kill or freeze it. A restart keeps the server's URL but loses
 * its data.
 */
export interface OwnRedis extends HeldContainer {
  readonly url: string;
}

export async function startOwnRedis(): Promise<OwnRedis> {
  const { url, container } = await startRedis(await freePort());
  return { url, ...(await holdContainer(container)) };
}
