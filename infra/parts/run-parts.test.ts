import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';

const PROGRAM = fileURLToPath(new URL('./run-parts.mjs', import.meta.url));

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'run-parts-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/**
 * Runs a command's parts with a fake `npm` that fails only for the script `failing`. In the result, `ran` lists the
 * scripts that were run.
 */
function runParts(command: string, failing: string) {
  const calls = join(folder, 'calls');
  const npm = `#!/bin/sh\necho "$3" >> '${calls}'\ntest "$3" != '${failing}'\n`;
  writeFileSync(join(folder, 'npm'), npm, { mode: 0o755 });
  const env = { ...process.env, PATH: [folder, process.env.PATH].join(delimiter) };
  const { status, stderr } = spawnSync(process.execPath, [PROGRAM, command], { env, encoding: 'utf8' });
  return { status, stderr, ran: existsSync(calls) ? readFileSync(calls, 'utf8').trim().split('\n') : [] };
}

it.each([
  ['test', 'test:unit', ['build', 'check:size', 'test:unit', 'test:browser']],
  ['test', 'check:size', ['build', 'check:size', 'test:unit', 'test:browser']],
  ['test:servers', 'test:servers:unit', ['test:servers:unit', 'test:servers:browser']],
])('npm run %s still runs its remaining parts after %s fails, and then exits with 1', (command, failing, all) => {
  const { status, stderr, ran } = runParts(command, failing);
  expect(ran).toEqual(all);
  expect(status).toBe(1);
  expect(stderr).toContain(`${failing} failed.`);
});

it('npm test runs no tests if the build fails', () => {
  const { status, ran } = runParts('test', 'build');
  expect([status, ran]).toEqual([1, ['build']]);
});

it('npm run check runs every check, even if one fails', () => {
  const { status, ran } = runParts('check', 'check:types:web');
  expect(status).toBe(1);
  expect(ran.sort()).toEqual(['check:imports', 'check:lint', 'check:types:services', 'check:types:web', 'check:words']);
});

it('a command exits with 0 if all its parts pass', () => {
  expect(runParts('test', 'none of them').status).toBe(0);
});
