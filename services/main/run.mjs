import module from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildIfOld, SERVICES_BUILD } from '../process/builds.mjs';

/**
 * `node services/main/run.mjs NAME ...`: runs the program of that name in this folder as built, which is done before where it is
 * not done yet. JavaScript that Node runs as it is.
 */
const [node = '', , name = '', ...args] = process.argv;
const built = await buildIfOld(SERVICES_BUILD, (line) => console.log(line));
// From Node 22 on: what was compiled once is kept beside the build. The providers of a demo take it over (start-provider.ts).
/** @type {{ enableCompileCache?: (directory: string) => void }} */ (module).enableCompileCache?.(
  join(built, '.compiled'),
);
const program = join(built, `${name}.js`);
process.argv = [node, program, ...args];
await import(pathToFileURL(program).href);
