import { buildIfOld, SERVICES_BUILD, WEB_BUILD } from '../process/builds.mjs';
import { launch } from '../process/launch.mjs';

/** `npm run build`: builds the services and the web client, each only if its build is missing or out of date. */
await launch(async () => {
  for (const build of [SERVICES_BUILD, WEB_BUILD]) await buildIfOld(build, (line) => console.log(line));
});
