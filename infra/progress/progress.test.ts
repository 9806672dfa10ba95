import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createProgress, QUIET_MS } from './progress.ts';

describe('the progress of a test run', () => {
  let now: number;
  let lines: string[];
  const progressOf = (files: number) =>
    createProgress(
      files,
      (line) => lines.push(line),
      () => now,
    );
  beforeEach(() => {
    now = 0;
    lines = [];
  });

  it('each finished file gets a line with its position, its duration and its results', () => {
    const progress = progressOf(12);
    progress.fileFinished({ file: 'a.test.ts', passed: 3, failed: 0, ms: 1_234 });
    progress.fileFinished({ file: 'b.test.ts', passed: 1, failed: 2, ms: 61_000 });
    expect(lines).toEqual([' 1/12    1.2 s  a.test.ts: 3 passed', ' 2/12   61.0 s  b.test.ts: 2 FAILED, 1 passed']);
  });

  it('a failed test is printed at once, with the command that repeats it', () => {
    const again = 'npx vitest run a.test.ts';
    progressOf(1).failed({ file: 'a.test.ts', title: 'PAY1 pays', errors: ['Error: no\nat a.test.ts:3:1\n'], again });
    expect(lines).toEqual([
      '\nFAILED  a.test.ts: PAY1 pays\n    Error: no\n    at a.test.ts:3:1\n  again: npx vitest run a.test.ts\n',
    ]);
  });

  it('if nothing has finished for ten seconds, a line names the files that are running', () => {
    const progress = progressOf(2);
    progress.stillRunning();
    progress.fileStarted('a.test.ts');
    now += QUIET_MS - 1;
    progress.fileStarted('b.test.ts');
    progress.stillRunning();
    expect(lines).toEqual([]);
    now += 1;
    progress.stillRunning();
    progress.stillRunning();
    expect(lines).toEqual(['running: a.test.ts (10.0 s), b.test.ts (0.0 s)']);
    progress.fileFinished({ file: 'a.test.ts', passed: 1, failed: 0, ms: 10_000 });
    now += QUIET_MS;
    progress.stillRunning();
    expect(lines.at(-1)).toBe('running: b.test.ts (10.0 s)');
  });
});

describe('the reporters', () => {
  const root = fileURLToPath(new URL('../../', import.meta.url));
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(root, 'infra', 'progress', '.tried-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const reporterOf = (runner: string) => join(root, 'infra', 'progress', `${runner}-progress.ts`);
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  const run = (...command: string[]) => {
    const bin = join(root, 'node_modules', '.bin', command[0] ?? '');
    const { stdout, status } = spawnSync(bin, command.slice(1), { cwd: root, encoding: 'utf8' });
    return { status, lines: stdout.split('\n').map((line) => line.trim()) };
  };
  const TESTS = `
    test('PAY1 passes', () => {});
    test('PAY2 fails', () => { expect(1).toBe(2); });`;

  it('a vitest run prints each failure with the command that repeats it, also if a file cannot be loaded', () => {
    write('one.test.ts', `import { expect, test } from 'vitest';${TESTS}`);
    write('two.test.ts', `throw new Error('cannot be loaded');`);
    const include = JSON.stringify([`${relative(root, folder)}/*.test.ts`]);
    write('vitest.config.ts', `export default { test: { include: ${include} } };`);
    const config = relative(root, join(folder, 'vitest.config.ts'));
    const { status, lines } = run(
      'vitest',
      'run',
      '--root',
      root,
      '--config',
      config,
      '--reporter',
      reporterOf('vitest'),
    );
    const [one, two] = ['one.test.ts', 'two.test.ts'].map((name) => relative(root, join(folder, name)));
    expect(status).toBe(1);
    expect(lines).toContain(`FAILED  ${one}: PAY2 fails`);
    expect(lines).toContain('AssertionError: expected 1 to be 2 // Object.is equality');
    expect(lines).toContain(`again: npx vitest run --config ${config} ${one}`);
    expect(lines).toContain(`FAILED  ${two}: could not be run`);
    expect(lines).toContain('Error: cannot be loaded');
    expect(lines).toContainEqual(expect.stringMatching(/^[12]\/2 .*one\.test\.ts: 1 FAILED, 1 passed$/));
  }, 30_000);

  it('a Playwright run prints each failure with the command that repeats it', () => {
    write('one.spec.ts', `import { expect, test } from '@playwright/test';${TESTS}`);
    write('playwright.config.ts', `export default { reporter: ${JSON.stringify(reporterOf('playwright'))} };`);
    const config = relative(root, join(folder, 'playwright.config.ts'));
    const { status, lines } = run('playwright', 'test', '--config', config);
    const one = relative(root, join(folder, 'one.spec.ts'));
    expect(status).toBe(1);
    expect(lines).toContain(`FAILED  ${one}: PAY2 fails`);
    expect(lines).toContain(`again: npx playwright test --config ${config} ${one}:3`);
    expect(lines).toContainEqual(expect.stringMatching(/^1\/1 .*one\.spec\.ts: 1 FAILED, 1 passed$/));
  }, 30_000);
});
