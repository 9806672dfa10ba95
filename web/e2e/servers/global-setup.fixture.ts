import { buildIfOld, WEB_BUILD } from '../../../services/process/builds.mjs';
import { assertDocker } from '../../../services/servers/test-servers/start-servers.fixture.ts';

/** Before any browser test on servers: there is a Docker, and the built client is as new as its sources. */
export default async function prepare(): Promise<void> {
  await assertDocker();
  await buildIfOld(WEB_BUILD, (line) => console.log(line));
}
