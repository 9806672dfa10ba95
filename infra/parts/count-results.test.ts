import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';

const PROGRAM = fileURLToPath(new URL('../../.ci/count-results.mjs', import.meta.url));
const VITEST = { numPassedTests: 2, testResults: [] };
const PLAYWRIGHT = { stats: { expected: 1 }, suites: [], errors: [] };

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'count-results-'));
  for (const name of ['vitest', 'servers']) report(name, JSON.stringify(VITEST));
  for (const name of ['playwright', 'playwright-servers']) report(name, JSON.stringify(PLAYWRIGHT));
});
afterEach(() => rmSync(folder, { recursive: true }));

const report = (name: string, text: string) => writeFileSync(join(folder, `${name}.json`), text);

/** Runs count-results.mjs and returns its exit code and output lines. `ended` is the test run's exit code. */
function count(ended: number) {
  const { status, stdout } = spawnSync(process.execPath, [PROGRAM, folder, String(ended)], { encoding: 'utf8' });
  return { status, lines: stdout.trim().split('\n') };
}

it('the printed total adds up the results of all test runners', () => {
  expect(count(0)).toEqual({ status: 0, lines: ['6 passed, 0 failed'] });
});

it('each failed test is listed and counted', () => {
  const failed = { status: 'failed', fullName: 'log > LOG1 keeps', failureMessages: ['gone'] };
  const result = { name: 'log.test.ts', status: 'failed', message: '', assertionResults: [failed] };
  report('vitest', JSON.stringify({ ...VITEST, testResults: [result] }));
  const lines = ['failed: log.test.ts: log > LOG1 keeps', '    gone', '6 passed, 1 failed'];
  expect(count(1)).toEqual({ status: 1, lines });
});

it('a test report that was cut off counts as one failed test', () => {
  report('playwright', JSON.stringify(PLAYWRIGHT).slice(0, 20));
  const { status, lines } = count(1);
  expect(status).toBe(1);
  expect(lines[0]).toBe('failed: playwright.json');
  expect(lines.at(-1)).toBe('5 passed, 1 failed');
});

it('if the test runners exit with an error but no report lists a failed test, one failure is counted', () => {
  const { status, lines } = count(1);
  expect(status).toBe(1);
  expect(lines.at(-1)).toBe('6 passed, 1 failed');
});
