import { fileURLToPath } from 'node:url';
import { reasonOf } from '../runtime/reason-of.mjs';
import { installationFault } from './installation.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/**
 * Runs `start` if this version of Node and the installed packages can run the shop. If not, or if `start` fails, prints
 * one line and exits with code 1 (START1). Node versions back to 14 have to be able to load this file, its callers, and
 * everything that these files import statically.
 * @type {(start: () => Promise<unknown>) => Promise<void>}
 */
export async function launch(start) {
  try {
    const fault = installationFault(ROOT, process.versions.node);
    if (fault !== null) exit(fault);
    await start();
  } catch (error) {
    exit(reasonOf(error));
  }
}

/** @type {(line: string) => never} */
function exit(line) {
  process.stderr.write(`${line}\n`);
  process.exit(1);
}
