import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Returns a line that says why no program can run from the repository in `root` with this version of Node, and what to
 * do. Returns null if the version is supported and the installed packages match package-lock.json (START1).
 * @type {(root: string, version: string) => string | null}
 */
export function installationFault(root, version) {
  const needed = readJson(join(root, 'package.json')).engines.node;
  if (!satisfies(version, needed)) {
    return `The shop needs Node ${needed}, but this is Node ${version}: install the current LTS (https://nodejs.org), then run npm ci.`;
  }
  const modules = join(root, 'node_modules');
  if (!existsSync(modules)) return 'No packages are installed: run npm ci.';
  // npm writes this file last, when everything else is installed.
  const installed = join(modules, '.package-lock.json');
  if (!existsSync(installed)) return 'The packages are installed only in part: run npm ci again, and let it finish.';
  const lock = join(root, 'package-lock.json');
  if (isNewer(lock, installed) && differ(readJson(lock).packages, readJson(installed).packages)) {
    return 'The installed packages are not those of package-lock.json: run npm ci.';
  }
  return null;
}

/** @type {(file: string) => any} */
const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));

/**
 * Returns whether a version is in a range of package.json, whose alternatives begin with `^` or `>=`, as in
 * `^20.19 || >=22.12`.
 * @type {(version: string, range: string) => boolean}
 */
function satisfies(version, range) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return range.split('||').some((alternative) => {
    const [wantedMajor = 0, wantedMinor = 0] = alternative
      .replace(/[^\d.]/g, '')
      .split('.')
      .map(Number);
    if (major === wantedMajor) return minor >= wantedMinor;
    return major > wantedMajor && alternative.includes('>=');
  });
}

/**
 * Compares times first, because parsing both files would take a twentieth of the shop's startup time.
 * @type {(file: string, other: string) => boolean}
 */
const isNewer = (file, other) => existsSync(file) && statSync(file).mtimeMs > statSync(other).mtimeMs;

/**
 * @typedef {Readonly<Record<string, { version?: string, link?: boolean, dev?: boolean, optional?: boolean, devOptional?: boolean, peer?: boolean }>>} Packages
 */

/**
 * Returns whether a package is missing or has another version. A package for development or another kind of machine
 * may be missing.
 * @type {(locked: Packages, installed: Packages) => boolean}
 */
function differ(locked, installed) {
  return Object.entries(locked).some(([path, { version, link, dev, optional, devOptional, peer }]) => {
    if (link || !path.includes('node_modules/')) return false;
    const found = installed[path];
    return found ? found.version !== version : !(dev || optional || devOptional || peer);
  });
}
