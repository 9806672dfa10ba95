import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { fuzzAShop } from './fuzz-a-shop.ts';

/**
 * `npm run fuzz [-- --inputs 100000 --seed 1]`: fuzzes a complete shop, and checks the shop's responses and event log.
 * Exits with code 1 if it finds a fault.
 */
const { values } = parseArgs({
  options: { inputs: { type: 'string', default: '20000' }, seed: { type: 'string', default: `${randomInt(2 ** 31)}` } },
});
const inputs = z.coerce.number().int().positive().parse(values.inputs);
const seed = z.coerce.number().int().nonnegative().parse(values.seed);
console.log(`fuzzing with seed ${seed}, ${inputs} inputs`);
const { report, verdict, exitCode } = await fuzzAShop({ seed, inputs });
console.log(`sent per part: ${JSON.stringify(report.sent)}`);
console.log(`responses: ${JSON.stringify(report.answers)}`);
for (const { number, input, reason } of report.failures.slice(0, 20)) {
  console.log(`input ${number}: ${reason}\n  ${JSON.stringify(input).slice(0, 1_000)}`);
}
console.log(`failures: ${report.failures.length}; the shop exited with ${exitCode}`);
console.log(`events: ${JSON.stringify(verdict.types)}`);
console.log(
  `the log holds ${verdict.events} events; ${verdict.faults.length === 0 ? 'sound' : verdict.faults.join('; ')}`,
);
if (report.failures.length > 0 || verdict.faults.length > 0 || exitCode !== 0) {
  console.log(`again: npm run fuzz -- --seed ${seed} --inputs ${inputs}`);
  process.exitCode = 1;
}
