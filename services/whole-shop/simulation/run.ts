import { execFileSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { CORPUS } from './corpus.ts';
import { linesOf, shrink } from './shrink.ts';
import { type SimulatedRun, simulate } from './simulate.ts';
import { SITUATIONS } from './situations.ts';

/**
 * Runs the simulator for many seeds. Options:
 *
 *     --from N       the first seed, 1 by default
 *     --seeds N      how many seeds to run, 20 by default
 *     --corpus       first runs the seeds that once broke a rule
 *     --minutes N    stops after this many minutes
 *     --until-fault  stops at the first fault
 *     --twice        runs each seed twice and compares the hashes
 *     --hashes       prints the hash of each seed's trace
 *     --trace        prints each seed's trace
 *     --shrink       shrinks each fault that is found, and prints the smallest run
 *     --situations   fails if one of the rare situations never occurred
 */
const { values: options } = parseArgs({
  options: {
    from: { type: 'string', default: '1' },
    seeds: { type: 'string', default: '20' },
    corpus: { type: 'boolean', default: false },
    minutes: { type: 'string', default: '1440' },
    'until-fault': { type: 'boolean', default: false },
    twice: { type: 'boolean', default: false },
    hashes: { type: 'boolean', default: false },
    trace: { type: 'boolean', default: false },
    shrink: { type: 'boolean', default: false },
    situations: { type: 'boolean', default: false },
  },
});

const begin = performance.now();
const seconds = () => (performance.now() - begin) / 1_000;
const from = Number(options.from);
const counts = new Map<string, number>();
let [ran, failed, virtualMs, events] = [0, 0, 0, 0];

const corpus = options.corpus ? CORPUS.map(({ seed }) => seed) : [];
const seeds = [...corpus, ...Array.from({ length: Number(options.seeds) }, (_, index) => from + index)];
for (const seed of seeds) {
  if (seconds() >= Number(options.minutes) * 60) break;
  ran += 1;
  const run = await simulate(seed);
  virtualMs += run.virtualMs;
  events += run.events;
  for (const [name, times] of run.situations) counts.set(name, (counts.get(name) ?? 0) + times);
  if (options.hashes) console.log(`${seed} ${run.hash}`);
  if (options.trace) console.log(run.lines.join('\n'));
  const differs = options.twice && (await simulate(seed)).hash !== run.hash;
  if (differs) console.log(`Seed ${seed} ran differently the second time.`);
  if (differs || run.faults.length > 0) failed += 1;
  if (run.faults.length > 0) await report(run);
  if (options['until-fault'] && failed > 0) break;
}

/** Prints a run that broke a rule, and how to repeat it. */
async function report(run: SimulatedRun): Promise<void> {
  console.log(`Seed ${run.seed} (${run.plan.shop}) at ${commit()}: ${run.faults.length} faults`);
  for (const fault of run.faults.slice(0, 10)) console.log(`  ${fault}`);
  console.log(`  Repeat: npm run simulate -- --from ${run.seed} --seeds 1 --shrink`);
  if (!options.shrink) return;
  const smallest = await shrink(run, (text) => console.log(`  ${text}`));
  const { customers, admins, duration, disasters, mail } = smallest.plan;
  console.log(`  The plan that is left: ${JSON.stringify({ customers, admins, duration, disasters, mail })}`);
  for (const action of smallest.actions) console.log(`  ${action}`);
  for (const line of linesOf(smallest)) console.log(`  ${line}`);
  for (const fault of smallest.faults.slice(0, 3)) console.log(`  ${fault}`);
}

function commit(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  } catch {
    return 'an unknown commit';
  }
}

const never = SITUATIONS.filter((name) => !counts.has(name));
if (!options['until-fault']) {
  for (const [name, times] of [...counts].sort()) console.log(`${String(times).padStart(9)} ${name}`);
  for (const name of never) console.log(`    never ${name}`);
}
const speed = Math.round(virtualMs / 1_000 / seconds());
console.log(
  `${ran} seeds in ${seconds().toFixed(1)} s, ${failed} failed; ${events} events; ${speed} virtual seconds a second; next: --from ${from + Math.max(0, ran - corpus.length)}`,
);
process.exitCode = failed > 0 || (options.situations && never.length > 0) ? 1 : 0;
