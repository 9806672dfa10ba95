import { buildIfOld, SERVICES_BUILD, WEB_BUILD } from '../process/builds.mjs';

/** `npm run build`: what is not built from the sources as they are now. */
for (const build of [SERVICES_BUILD, WEB_BUILD]) await buildIfOld(build, (line) => console.log(line));
