import { buildIfOld, SERVICES_BUILD, WEB_BUILD } from '../process/builds.mjs';

/** `npm run build`: rebuilds whatever is older than its sources. */
for (const build of [SERVICES_BUILD, WEB_BUILD]) await buildIfOld(build, (line) => console.log(line));
