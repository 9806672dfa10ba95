import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { launch } from '../../services/process/launch.mjs';
import { REPORTS, readReport } from './read-results.mjs';

/**
 * `node infra/parts/run-parts.mjs test|test:servers|check`: runs the npm scripts that make up the command, and fails if
 * one of them fails. For each failure, prints a hint on how to fix it. At the end, prints how long each script took, and
 * which test files took longest.
 */

const TYPES =
  'The output above gives the file, line and column of each error. If a switch or a table lacks a case, the worked examples in CONTRIBUTING.md show what else the case needs.';

const COMMANDS = {
  check: {
    'check:types:web': TYPES,
    'check:types:services': TYPES,
    'check:lint':
      '`npm run format` fixes the formatting, the import order and everything else that is safe to fix automatically. Fix the remaining problems by hand. https://biomejs.dev/linter explains each rule.',
    'check:imports':
      'The file before the arrow may not import the file after it. ARCHITECTURE.md shows which folder may import which. Move the code into the folder that needs it, or pass it as an argument.',
    'check:words':
      'The words listed above make a new reader stumble. Write the sentence the way you would say it to a colleague.',
  },
  test: {
    build: 'The tests need a build of the shop and the client. The line above says why there is none.',
    'check:size':
      'The home page loads too much. Use `import()` for code that it does not need at first. The budget is in infra/size/check-size.ts.',
    'test:unit': '`npx vitest FILE` reruns a file whenever it changes.',
    'test:browser': '`npx playwright test FILE --trace on` records a trace of each test in test-results.',
  },
  'test:servers': {
    'test:servers:unit': 'Each failure above ends with the command that repeats it.',
    'test:servers:browser': 'Each failure above ends with the command that repeats it.',
  },
};
/** If one of these scripts fails, the scripts after it are skipped. If any other script fails, the rest still run. */
const NEEDED = ['build'];

const SLOWEST = 10;

const command = process.argv[2] ?? '';
const parts = Object.entries(COMMANDS[command] ?? {});
if (parts.length === 0) throw new Error(`Specify one of these commands: ${Object.keys(COMMANDS).join(', ')}.`);

const began = Date.now();
const count = parts.length;
const times = [];
const reports = Object.entries(REPORTS[command] ?? {});

/** Takes scripts from `parts` and runs them one after another, until `parts` is empty or a script in `NEEDED` fails. */
async function runParts() {
  for (let part = parts.shift(); part; part = parts.shift()) {
    const [script, advice] = part;
    const since = Date.now();
    if (reports.length > 0) console.log(`\n${count - parts.length} of ${count}: ${script}`);
    const status = await (command === 'check' ? runCollected(script) : run(script, 'inherit').exited);
    times.push(`${script} ${lengthOf(since)}`);
    if (status === 0) continue;
    console.error(`\n${script} failed. ${advice}`);
    process.exitCode = 1;
    if (NEEDED.includes(script)) return;
  }
}

/** Runs a script and returns its exit code. Prints its output only at the end, because other scripts run at the same time. */
async function runCollected(script) {
  const { child, exited } = run(script, 'pipe');
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  }
  const status = await exited;
  process.stdout.write(output);
  return status;
}

/** @param {string} script @param {'inherit' | 'pipe'} output */
function run(script, output) {
  const child = spawn('npm', ['run', '--silent', script], { stdio: ['inherit', output, output] });
  return { child, exited: once(child, 'close').then(([status]) => status) };
}

await launch(async () => {
  if (reports.length > 0) process.env.TEST_RESULTS ??= temporaryFolder();
  // Checks are independent of each other, so they run in parallel. Test scripts run one at a time, so that each has the
  // machine to itself.
  await Promise.all(Array.from({ length: command === 'check' ? os.availableParallelism() : 1 }, runParts));
});
printSlowest();
console.log(`npm ${command === 'test' ? '' : 'run '}${command} took ${lengthOf(began)}: ${times.join(', ')}`);

/** Creates a folder for the test runners' reports, which is deleted when this process exits. */
function temporaryFolder() {
  const folder = mkdtempSync(join(os.tmpdir(), 'test-results-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Prints the test files that took longest. */
function printSlowest() {
  const files = reports
    .flatMap(([name, read]) => readReport(process.env.TEST_RESULTS ?? '', name, read).files)
    .sort((one, other) => other.ms - one.ms);
  if (files.length === 0) return;
  console.log('\nThe slowest test files:');
  for (const { file, ms } of files.slice(0, SLOWEST)) console.log(`${(ms / 1_000).toFixed(1).padStart(7)} s  ${file}`);
}

/** @param {number} since ms since the epoch */
function lengthOf(since) {
  const seconds = Math.round((Date.now() - since) / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
