import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import pLimit from 'p-limit';
import { CANARIES } from './canaries.ts';
import { type Canary, pathOf } from './canary.ts';

/**
 * Puts each canary (a deliberate bug) into a copy of the sources and runs the simulator on the copy until it finds a
 * fault. Fails if a canary isn't found. Options: `--seeds N` sets the maximum number of seeds for each canary (1,000 by
 * default), and `--only NAME` runs only one canary.
 */
const { values: options } = parseArgs({
  options: { seeds: { type: 'string', default: '1000' }, only: { type: 'string' } },
});

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** How long the simulator may run, in ms, before the canary counts as not found. A bug can make the simulator hang. */
const LONGEST_MS = 1_800_000;

interface Found {
  readonly canary: Canary;
  /** the number of seeds until the first fault; null if there was none */
  readonly seeds: number | null;
  readonly fault: string;
}

/** Copies the sources to a new folder, which shares the installed packages. */
function copySources(): string {
  const folder = mkdtempSync(join(tmpdir(), 'canary-'));
  const isSource = (path: string) => !path.includes('node_modules') && !path.endsWith('dist');
  for (const sources of ['services', 'web/src', 'web/simulation']) {
    cpSync(join(ROOT, sources), join(folder, sources), { recursive: true, filter: isSource });
  }
  cpSync(join(ROOT, 'package.json'), join(folder, 'package.json'));
  for (const modules of ['node_modules', 'services/node_modules']) {
    symlinkSync(join(ROOT, modules), join(folder, modules));
  }
  return folder;
}

async function look(canary: Canary): Promise<Found> {
  const folder = copySources();
  try {
    const file = join(folder, pathOf(canary));
    const [old, broken] = canary.replace;
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replace(old, () => broken),
    );
    const output = await simulateIn(folder);
    const seed = /^Seed (\d+) .*\n {2}(.*)/m.exec(output);
    const crash = /\n(\w*Error: .*)/.exec(output)?.[1];
    if (seed) return { canary, seeds: Number(seed[1]), fault: seed[2] ?? '' };
    return crash ? { canary, seeds: 1, fault: `the run crashes: ${crash}` } : { canary, seeds: null, fault: '' };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function simulateIn(folder: string): Promise<string> {
  const args = ['--import', 'tsx', 'services/whole-shop/simulation/run.ts', '--seeds', options.seeds, '--until-fault'];
  const child = spawn(process.execPath, args, { cwd: folder, timeout: LONGEST_MS });
  return new Promise((resolve, reject) => {
    let output = '';
    const take = (data: Buffer) => {
      output += data.toString();
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    child.once('error', reject);
    child.once('close', () => resolve(output));
  });
}

const chosen = CANARIES.filter(({ name }) => options.only === undefined || name === options.only);
const limit = pLimit(availableParallelism());
const results = await limit.map(chosen, async (canary) => {
  const result = await look(canary);
  const { seeds, fault } = result;
  console.log(`${seeds === null ? 'not found' : `seed ${seeds}`} | ${canary.name} | ${canary.rule} | ${fault}`);
  return result;
});
const found = results.flatMap(({ seeds }) => seeds ?? []);
const within50 = found.filter((seeds) => seeds <= 50).length;
console.log(`${found.length} of ${chosen.length} found, ${within50} within 50 seeds`);
process.exitCode = found.length < chosen.length ? 1 : 0;
