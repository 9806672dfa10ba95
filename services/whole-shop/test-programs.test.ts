import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { ENDS_WITH_PARENT } from './test-programs.fixture.ts';

it('a program started by a test exits when the test process is killed', async () => {
  const program = [...ENDS_WITH_PARENT, '--eval', 'console.log("up"); setInterval(() => {}, 1_000)'];
  const test = `
    import { spawn } from 'node:child_process';
    spawn(process.execPath, ${JSON.stringify(program)}, { stdio: ['pipe', 'inherit', 'inherit'] });`;
  const killed = spawn(process.execPath, ['--input-type=module', '--eval', test], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // The killed process and the program that it started share a stdout pipe, so the pipe closes once both have exited.
  const closed = once(killed, 'close');
  expect(String(await once(killed.stdout, 'data'))).toBe('up\n');
  killed.kill('SIGKILL');
  await closed;
});
