import { buildWebIfOld } from '../../../services/process/web-build.ts';
import { assertDocker } from '../../../services/servers/test-servers/start-servers.fixture.ts';

/** Before any browser test on servers: there is a Docker, and the built client is as new as its sources. */
export default async function prepare(): Promise<void> {
  await assertDocker();
  await buildWebIfOld((line) => console.log(line));
}
