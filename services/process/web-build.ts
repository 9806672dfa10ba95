import { spawn } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** Where the built client lies. */
export const WEB_DIST = join(ROOT, 'web', 'dist');
/** What the client is made of: a change in any of it makes the build old. */
const SOURCES = [
  'web/src',
  'web/public',
  'web/index.html',
  'web/vite.config.ts',
  'services/contracts',
  'package-lock.json',
];

/** Builds the web client where it was not built yet, or is older than its sources. @throws Error where the build fails */
export async function buildWebIfOld(print: (line: string) => void): Promise<void> {
  const built = join(WEB_DIST, 'index.html');
  const newest = Math.max(...SOURCES.map((source) => newestChange(join(ROOT, source))));
  if (existsSync(built) && statSync(built).mtimeMs >= newest) return;
  print('building the web client (once, about half a minute) ...');
  const vite = join(
    createRequire(join(ROOT, 'web', 'package.json')).resolve('vite/package.json'),
    '..',
    'bin',
    'vite.js',
  );
  const child = spawn(process.execPath, [vite, 'build', '--logLevel', 'warn'], {
    cwd: join(ROOT, 'web'),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  });
  if (code !== 0) throw new Error(`The web client could not be built (vite ended with ${code}).`);
}

/** The time of the newest change below a path, in ms since the epoch; 0 where there is nothing. */
function newestChange(path: string): number {
  if (!existsSync(path)) return 0;
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => newestChange(join(path, name))));
}
