import { buildIfOld, SERVICES_BUILD, WEB_BUILD } from '../process/builds.mjs';

/** `npm run build`: rebuilds the services and the web client if they are older than their sources. */
for (const build of [SERVICES_BUILD, WEB_BUILD]) await buildIfOld(build, (line) => console.log(line));
