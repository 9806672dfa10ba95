import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
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
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import util from 'node:util';

/**
 * A Vite build of a folder. `config` and `dist` are relative to the folder. The build is out of date once anything in
 * `sources` has changed, except files and folders whose names match `unread`.
 * @typedef {object} Build
 * @property {string} folder
 * @property {string} [config]
 * @property {string} [dist]
 * @property {string[]} sources
 * @property {RegExp} [unread]
 * @property {string} announcement
 * @property {string} [root]
 */

/** The repository root. It is two levels above this file, and also two levels above the built copy of this code in services/dist/. */
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
export const WEB_DIST = join(ROOT, 'web', 'dist');
/** The page that browsers get while the shop starts. It isn't part of a build, so that nginx can serve it too. */
export const STARTING_PAGE = join(ROOT, 'web', 'starting.html');
/** The name prefix of the temporary folder that a running build writes to. */
const UNDER_WAY = '.building-';
/** The longest time that a build can take, in ms. A temporary folder older than this was left behind by a killed build. */
const LONGEST_BUILD_MS = 3_600_000;
/** The name of a file in each build's output folder. The file contains a fingerprint of the sources used for the build. */
const STAMP = '.made-from';
/** Matches the names of files and folders in `sources` that don't become part of the built program, such as tests. */
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

// Builds the folder if its build is missing or out of date, and returns the output folder. If several processes build
// at the same time, each writes to its own temporary folder first.
/** @type {(build: Build, print: (line: string) => void) => Promise<string>} */
export async function buildIfOld(build, print) {
  const { folder, config, dist = 'dist', sources, unread = UNREAD, announcement, root = ROOT } = build;
  const built = join(root, folder, dist);
  const madeFrom = fingerprint(root, sources, unread);
  if (stampOf(built) === madeFrom) return built;
  print(announcement);
  removeKilledBuilds(join(root, folder));
  // The temporary folder is at the same depth as `dist`, so that the relative paths in the source maps stay correct.
  const fresh = mkdtempSync(join(root, folder, UNDER_WAY));
  try {
    await runVite(join(root, folder), config, fresh);
    chmodSync(fresh, 0o755);
    writeFileSync(join(fresh, STAMP), madeFrom);
    takePlace(fresh, built, madeFrom);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
  return built;
}

/** @param {string} folder */
function removeKilledBuilds(folder) {
  for (const name of readdirSync(folder).filter((one) => one.startsWith(UNDER_WAY))) {
    const left = join(folder, name);
    const { mtimeMs } = statSync(left, { throwIfNoEntry: false }) ?? { mtimeMs: Date.now() };
    if (Date.now() - mtimeMs > LONGEST_BUILD_MS) rmSync(left, { recursive: true, force: true });
  }
}

/** @type {(root: string, sources: string[], unread: RegExp) => string} */
function fingerprint(root, sources, unread) {
  const hash = createHash('sha256');
  for (const source of sources) addTo(hash, root, source, unread);
  return hash.digest('hex');
}

// Hashes file contents rather than modification times, so that a fresh checkout has the same fingerprint.
/** @type {(hash: import('node:crypto').Hash, root: string, path: string, unread: RegExp) => void} */
function addTo(hash, root, path, unread) {
  const whole = join(root, path);
  if (!existsSync(whole)) return;
  if (statSync(whole).isDirectory()) {
    for (const name of readdirSync(whole).sort()) if (!unread.test(name)) addTo(hash, root, `${path}/${name}`, unread);
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

// Replaces the old build with the fresh one. If another process has just put the same build in place, renaming fails
// because the target folder isn't empty. The other process's build is then used.
/** @type {(fresh: string, built: string, madeFrom: string) => void} */
function takePlace(fresh, built, madeFrom) {
  while (existsSync(fresh) && stampOf(built) !== madeFrom) {
    const old = `${fresh}-old`;
    if (existsSync(built)) renameUnlessTaken(built, old);
    renameUnlessTaken(fresh, built);
    rmSync(old, { recursive: true, force: true });
  }
}

/** @type {(from: string, to: string) => void} */
function renameUnlessTaken(from, to) {
  try {
    renameSync(from, to);
  } catch (error) {
    const { code = '' } = /** @type {NodeJS.ErrnoException} */ (error);
    // Errors with these codes mean that another process has just moved the folder away or put its own build in place.
    if (!['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(code)) throw error;
  }
}

/** @type {(folder: string, config: string | undefined, outDir: string) => Promise<void>} */
async function runVite(folder, config, outDir) {
  const vite = createRequire(join(ROOT, 'web', 'package.json')).resolve('vite/package.json');
  const args = [join(vite, '..', 'bin', 'vite.js'), 'build', '--outDir', outDir, '--emptyOutDir', '--logLevel', 'warn'];
  if (config) args.push('--config', config);
  // Sets NODE_ENV so that every caller gets the same build, even a test runner, whose own NODE_ENV is different.
  const env = { ...process.env, NODE_ENV: 'production' };
  const child = spawn(process.execPath, args, { cwd: folder, env, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    said += text;
  });
  const [code, signal] = await once(child, 'close');
  if (code !== 0) throw buildError(basename(folder), util.stripVTControlCharacters(said), signal);
  process.stderr.write(said);
}

/**
 * Returns an error whose message is one line for the person who started the build (START1).
 * @type {(name: string, said: string, signal: NodeJS.Signals | null) => Error}
 */
function buildError(name, said, signal) {
  const [full] = /no space left on device/i.exec(said) ?? [];
  const rest = signal
    ? `Vite was ended by ${signal}. If memory ran out, close other programs and try again.`
    : `${reasonIn(said)}. Correct that, or run npm ci if you changed no code. For details, run npm run build --workspace ${name}.`;
  return Object.assign(new Error(`${name} could not be built: ${full ?? rest}`), { isReadable: true });
}

/**
 * Returns the reason in Vite's output without the code frame and the stack trace.
 * @type {(said: string) => string}
 */
function reasonIn(said) {
  const head = /error during build:\n(?:Build failed with .*\n)?|^(?=\S*Error\b)/m.exec(said);
  const text = head ? said.slice(head.index + head[0].length) : said;
  const [reason = ''] = text.trim().split(/\n\s*(?:at |│)/);
  return reason.replaceAll('╭─', '').replace(/\s+/g, ' ').replace(/\.$/, '');
}
