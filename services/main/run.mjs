import module from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { buildIfOld, SERVICES_BUILD } from '../process/builds.mjs';
import { launch } from '../process/launch.mjs';

// By default, V8 lets the heap grow to several times the size of its live objects before it collects garbage. Limiting
// the growth to 50% uses a third less memory and doesn't slow the shop down.
setFlagsFromString('--heap-growing-percent=50');

/** `node services/main/run.mjs NAME ...`: runs this folder's program NAME from the build, after updating the build if necessary. */
const [node = '', , name = '', ...args] = process.argv;
await launch(async () => {
  const built = await buildIfOld(SERVICES_BUILD, (line) => console.log(line));
  // On Node 22 or newer, caches compiled code in the build's folder. A demo's Stripe simulator and identity emulator
  // use the same cache (start-provider.ts).
  /** @type {{ enableCompileCache?: (directory: string) => void }} */ (module).enableCompileCache?.(
    join(built, '.compiled'),
  );
  const program = join(built, `${name}.js`);
  process.argv = [node, program, ...args];
  await import(pathToFileURL(program).href);
});
