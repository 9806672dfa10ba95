import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { repetitions } from '../long-run.fixture.ts';
import { fuzzAShop } from './fuzz-a-shop.ts';

const PROGRAM = fileURLToPath(new URL('./run.ts', import.meta.url));
const INPUTS = repetitions({ few: 1_000, many: 20_000 });

it(`HTTP1 LOG4 ORD2 PAY2 PRJ1 AUTH2 ${INPUTS} random and malformed inputs cause no 5xx response, grant no role, and leave a log that passes all invariant checks`, async () => {
  const seed = randomInt(2 ** 31);
  const { report, verdict, exitCode } = await fuzzAShop({ seed, inputs: INPUTS });
  const again = `npm run fuzz -- --seed ${seed} --inputs ${INPUTS}`;
  expect(report.failures.slice(0, 5), again).toEqual([]);
  expect(verdict.faults.slice(0, 5), again).toEqual([]);
  expect(exitCode, again).toBe(0);
  // The log checks prove nothing unless these events have occurred.
  for (const type of ['OrderPlaced', 'OrderCancelled', 'StockReturned', 'PaymentStarted', 'PaymentRecorded']) {
    expect(verdict.types[type], `${again}: ${type}`).toBeGreaterThan(0);
  }
}, 1_200_000);

it('HTTP1 npm run fuzz exits with code 1 and does not report success if its --inputs option is invalid', () => {
  const { status, stdout } = spawnSync(process.execPath, ['--import', 'tsx', PROGRAM, '--inputs', '20k'], {
    encoding: 'utf8',
  });
  expect(stdout).not.toContain('failures: 0');
  expect(status).toBe(1);
});
