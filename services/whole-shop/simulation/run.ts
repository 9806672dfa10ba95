import { simulate } from './simulate.ts';

/** Runs the simulator for the seeds `--from` to `--from + --seeds - 1`, and prints each run. */
function numberOf(name: string, otherwise: number): number {
  const index = process.argv.indexOf(`--${name}`);
  return index === -1 ? otherwise : Number(process.argv[index + 1]);
}

const from = numberOf('from', 1);
for (let seed = from; seed < from + numberOf('seeds', 1); seed += 1) {
  const begin = performance.now();
  const run = await simulate(seed);
  const took = ((performance.now() - begin) / 1000).toFixed(2);
  const minutes = Math.round(run.virtualMs / 60_000);
  console.log(`${seed} ${run.plan.shop} ${run.hash} ${run.events} events in ${minutes} min, ${took} s`);
  if (process.argv.includes('--types')) console.log(run.types);
  if (process.argv.includes('--trace')) console.log(run.lines.join('\n'));
  for (const fault of run.faults.slice(0, 10)) console.log(`  ${fault}`);
}
