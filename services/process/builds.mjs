import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * What Vite builds, and when. JavaScript, since it runs before anything is built.
 * @typedef {object} Build
 * @property {string} folder has a Vite configuration, and takes the built files in `dist`
 * @property {string[]} sources what it is made of, by path from `root`: a change in any of it makes the build old
 * @property {string} announcement
 * @property {string} [root]
 */

/** The repository, two folders up from here as from the built file in services/dist/. */
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** Where the built client lies. */
export const WEB_DIST = join(ROOT, 'web', 'dist');
/** How the folder of a build under way begins. */
const UNDER_WAY = '.building-';
/** No build takes so long, in ms: a folder that is older was left by one that was killed. */
const LONGEST_BUILD_MS = 3_600_000;
/** Beside the built files: what they were made from. */
const STAMP = '.made-from';
/** Names below the sources that no build reads. */
const UNREAD = /^(\..*|dist|node_modules|whole-shop|test-servers|.*\.(test|contract|fixture)\.tsx?|.*\.md)$/;

/** @type {Build} */
export const WEB_BUILD = {
  folder: 'web',
  sources: [
    ...['web/src', 'web/public', 'web/index.html', 'web/vite.config.ts', 'web/package.json'],
    ...['services/contracts', 'tsconfig.json', 'package-lock.json'],
  ],
  announcement: 'building the web client (once, about half a minute) ...',
};

/** @type {Build} */
export const SERVICES_BUILD = {
  folder: 'services',
  sources: ['services', 'tsconfig.json', 'package-lock.json'],
  announcement: 'building the shop (once, some seconds) ...',
};

/**
 * Builds what was not built yet, or not from the sources as they are now. Two that do so at once build apart, each in a folder of its own
 * that takes its place whole.
 * @param {Build} build
 * @param {(line: string) => void} print
 * @returns {Promise<string>} the folder of the built files
 * @throws Error where the build fails
 */
export async function buildIfOld({ folder, sources, announcement, root = ROOT }, print) {
  const built = join(root, folder, 'dist');
  const madeFrom = fingerprint(root, sources);
  if (stampOf(built) === madeFrom) return built;
  print(announcement);
  removeAbandoned(join(root, folder));
  // As deep as the place that it takes, so that what the source maps name is found from there.
  removeKilledBuilds(join(root, folder));
  const fresh = mkdtempSync(join(root, folder, UNDER_WAY));
  try {
    await runVite(join(root, folder), fresh);
    chmodSync(fresh, 0o755);
    writeFileSync(join(fresh, STAMP), madeFrom);
    takePlace(fresh, built, madeFrom);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
  return built;
}

/**
 * Removes what builds have left that were killed. One that still runs is younger.
 * @param {string} folder
 */
function removeAbandoned(folder) {
  for (const name of readdirSync(folder).filter((one) => one.startsWith('.building-'))) {
    const path = join(folder, name);
    const since = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (Date.now() - since > 3_600_000) rmSync(path, { recursive: true, force: true });
  }
}

/** @param {string} folder */
function removeKilledBuilds(folder) {
  for (const name of readdirSync(folder).filter((one) => one.startsWith(UNDER_WAY))) {
    const left = join(folder, name);
    const { mtimeMs } = statSync(left, { throwIfNoEntry: false }) ?? { mtimeMs: Date.now() };
    if (Date.now() - mtimeMs > LONGEST_BUILD_MS) rmSync(left, { recursive: true, force: true });
  }
}

/**
 * @param {string} root
 * @param {string[]} sources
 */
function fingerprint(root, sources) {
  const hash = createHash('sha256');
  for (const source of sources) addTo(hash, root, source);
  return hash.digest('hex');
}

/**
 * Contents, not times: a fresh checkout of the same files is the same.
 * @param {import('node:crypto').Hash} hash
 * @param {string} root
 * @param {string} path
 */
function addTo(hash, root, path) {
  const whole = join(root, path);
  if (!existsSync(whole)) return;
  if (statSync(whole).isDirectory()) {
    for (const name of readdirSync(whole).sort()) if (!UNREAD.test(name)) addTo(hash, root, `${path}/${name}`);
    return;
  }
  const content = readFileSync(whole);
  hash.update(`${path}\n${content.length}\n`).update(content);
}

/** @param {string} built */
function stampOf(built) {
  const stamp = join(built, STAMP);
  return existsSync(stamp) ? readFileSync(stamp, 'utf8') : null;
}

/**
 * Puts a fresh build where an older one may stand. A folder can be renamed only onto an empty one: whoever was faster is not
 * replaced by the same again.
 * @param {string} fresh
 * @param {string} built
 * @param {string} madeFrom
 */
function takePlace(fresh, built, madeFrom) {
  while (existsSync(fresh) && stampOf(built) !== madeFrom) {
    const old = `${fresh}-old`;
    if (existsSync(built)) renameUnlessTaken(built, old);
    renameUnlessTaken(fresh, built);
    rmSync(old, { recursive: true, force: true });
  }
}

/**
 * @param {string} from
 * @param {string} to
 */
function renameUnlessTaken(from, to) {
  try {
    renameSync(from, to);
  } catch (error) {
    const { code = '' } = /** @type {NodeJS.ErrnoException} */ (error);
    // Another start has just moved it away, or has put its own there.
    if (!['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(code)) throw error;
  }
}

/**
 * @param {string} folder
 * @param {string} outDir
 */
async function runVite(folder, outDir) {
  const vite = createRequire(join(ROOT, 'web', 'package.json')).resolve('vite/package.json');
  const args = [join(vite, '..', 'bin', 'vite.js'), 'build', '--outDir', outDir, '--emptyOutDir', '--logLevel', 'warn'];
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  });
  if (code !== 0) throw new Error(`${folder} could not be built (vite ended with ${code}).`);
}
