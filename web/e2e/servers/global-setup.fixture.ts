import { buildIfOld, WEB_BUILD } from '../../../services/process/builds.mjs';
import { assertDocker } from '../../../services/servers/test-servers/start-servers.fixture.ts';

/** Runs before the browser tests on servers. Checks that Docker is available, and rebuilds the client if it is out of date. */
export default async function prepare(): Promise<void> {
  await assertDocker();
  await buildIfOld(WEB_BUILD, (line) => console.log(line));
}
