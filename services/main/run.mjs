import module from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { buildIfOld, SERVICES_BUILD } from '../process/builds.mjs';

// V8 lets a heap grow to several times what is in use before it collects; half more costs the same time here and a third less memory.
setFlagsFromString('--heap-growing-percent=50');

/** `node services/main/run.mjs NAME ...`: runs that program of this folder as built, after a build if sources changed. */
const [node = '', , name = '', ...args] = process.argv;
const built = await buildIfOld(SERVICES_BUILD, (line) => console.log(line));
// Node 22 and newer keep compiled code beside the build; a demo's providers use it too (start-provider.ts).
/** @type {{ enableCompileCache?: (directory: string) => void }} */ (module).enableCompileCache?.(
  join(built, '.compiled'),
);
const program = join(built, `${name}.js`);
process.argv = [node, program, ...args];
await import(pathToFileURL(program).href);
