import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Build, buildIfOld } from './builds.mjs';

const run = promisify(execFile);
const CONFIG = `export default {
  build: { ssr: 'main/program.ts', sourcemap: true, rolldownOptions: { output: { entryFileNames: '[name].js' } } },
};`;

let root: string;
let build: Build;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'builds-'));
  mkdirSync(join(root, 'shop', 'main'), { recursive: true });
  write('shop/vite.config.mjs', CONFIG);
  write('shop/main/program.ts', "console.log('one' as string);");
  write('lock.json', '{}');
  build = { root, folder: 'shop', sources: ['shop', 'lock.json'], announcement: 'building' };
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const write = (path: string, content: string) => writeFileSync(join(root, path), content);

/** Builds the program if needed and runs it. Returns its output and the number of builds. */
async function builtAndRun(): Promise<{ prints: string; builds: number }> {
  const said: string[] = [];
  const built = await buildIfOld(build, (line) => said.push(line));
  const { stdout } = await run(process.execPath, [join(built, 'program.js')]);
  return { prints: stdout.trim(), builds: said.length };
}

describe('building a source folder', () => {
  it('the sources are built once, and rebuilt only if a source file or the lock file has changed', async () => {
    expect(await builtAndRun()).toEqual({ prints: 'one', builds: 1 });
    expect(await builtAndRun()).toEqual({ prints: 'one', builds: 0 });

    utimesSync(join(root, 'shop/main/program.ts'), new Date(), new Date());
    write('shop/main/program.test.ts', 'no part of what runs');
    expect(await builtAndRun()).toEqual({ prints: 'one', builds: 0 });

    write('shop/main/program.ts', "console.log('two' as string);");
    expect(await builtAndRun()).toEqual({ prints: 'two', builds: 1 });
    write('lock.json', '{"other":"packages"}');
    expect(await builtAndRun()).toEqual({ prints: 'two', builds: 1 });
    expect(await builtAndRun()).toEqual({ prints: 'two', builds: 0 });
  }, 60_000);

  it('several processes that start at once each get a complete build, and no temporary folder is left behind', async () => {
    const all = await Promise.all(Array.from({ length: 4 }, builtAndRun));
    expect(all.map(({ prints }) => prints)).toEqual(['one', 'one', 'one', 'one']);
    expect(readdirSync(join(root, 'shop')).sort()).toEqual(['dist', 'main', 'vite.config.mjs']);
  }, 60_000);

  it('a build deletes the temporary folder of a build that was killed more than an hour ago, but not the folder of a running build', async () => {
    const before = new Date(Date.now() - 2 * 3_600_000);
    for (const name of ['.building-killed', '.building-now']) mkdirSync(join(root, 'shop', name));
    utimesSync(join(root, 'shop/.building-killed'), before, before);
    await builtAndRun();
    expect(readdirSync(join(root, 'shop')).sort()).toEqual(['.building-now', 'dist', 'main', 'vite.config.mjs']);
  }, 60_000);

  it('a failed build leaves the previous build in place, and the sources are built again at the next startup', async () => {
    await builtAndRun();
    write('shop/main/program.ts', "import './nowhere.ts';");
    await expect(builtAndRun()).rejects.toThrow(/^shop could not be built: /);
    expect((await run(process.execPath, [join(root, 'shop/dist/program.js')])).stdout).toBe('one\n');
    write('shop/main/program.ts', "console.log('mended' as string);");
    expect(await builtAndRun()).toEqual({ prints: 'mended', builds: 1 });
  }, 60_000);

  it.each([
    [
      'a file is missing',
      "import './nowhere.ts';",
      CONFIG,
      /: .*Could not resolve '\.\/nowhere\.ts' in main\/program\.ts/,
    ],
    ['the code has a syntax error', 'const x = ;', CONFIG, /: .*Unexpected token \[ main\/program\.ts:1:11 \]\. /],
    ['the configuration is wrong', '', "throw new Error('wrong');", /: Error: wrong\. .* npm ci .* npm run build /],
    ['Vite is killed', '', "process.kill(process.pid, 'SIGKILL');", /: Vite was ended by SIGKILL\. If memory ran out/],
    ['the disk is full', '', "throw new Error('ENOSPC: no space left on device');", /: no space left on device$/],
  ])('START1 the error of a failed build is one line, if %s', async (_what, program, config, line) => {
    write('shop/main/program.ts', program);
    write('shop/vite.config.mjs', config);
    const error = await buildIfOld(build, () => {}).catch((reason: Error) => reason);
    expect(error).toMatchObject({ isReadable: true, message: expect.stringMatching(line) });
    expect(error).toMatchObject({ message: expect.stringMatching(/^shop could not be built: [^\n]+$/) });
  });

  it('a build includes source maps, so that stack traces point to lines in the TypeScript sources', async () => {
    write('shop/main/program.ts', "interface Gone {}\n\nthrow new Error('here' as string);");
    const file = join(await buildIfOld(build, () => {}), 'program.js');
    await expect(run(process.execPath, ['--enable-source-maps', file])).rejects.toMatchObject({
      stderr: expect.stringContaining(`${join(root, 'shop/main/program.ts')}:3:`),
    });
  }, 60_000);
});
