import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';

/**
 * `node infra/parts/run-parts.mjs test|test:servers|check`: runs the npm scripts that the command is made of, and fails if
 * one of them fails. Prints what to do about a failure, and how long each script took.
 */

const TYPES =
  'The lines above name the file, the line and the column. Where a switch or a table lacks a case, the worked examples in CONTRIBUTING.md say what else belongs to it.';

const COMMANDS = {
  check: {
    'check:types:web': TYPES,
    'check:types:services': TYPES,
    'check:lint':
      '`npm run format` mends the format, the order of imports and whatever else is safe to mend. What is still listed then is yours to mend; https://biomejs.dev/linter explains each rule.',
    'check:imports':
      'The file before the arrow may not import the one after it. ARCHITECTURE.md shows which folder may import which: move the code into the folder that needs it, or hand it in as an argument.',
    'check:words':
      'A reader new to the project stumbles over the words that are named above. Write the sentence the way you would say it to a colleague.',
  },
  test: {
    build: 'The shop and the client have to build before they are tested: Vite names the file above.',
    'check:size':
      'The home page has to load less: import what it does not show at once with `import()`. The budget is in infra/size.',
    'test:unit': '`npx vitest run FILE` runs one file again, `npx vitest FILE` whenever it changes.',
    'test:browser': '`npx playwright test FILE --trace on` records what the test did, into test-results.',
  },
  'test:servers': {
    'test:servers:unit': '`npx vitest run --config vitest.servers.config.ts FILE` runs one file again.',
    'test:servers:browser': '`npx playwright test --config playwright.servers.config.ts FILE` runs one file again.',
  },
};
/** The parts after these cannot pass without them. The other parts run whatever comes of the ones before. */
const NEEDED = ['build'];

const command = process.argv[2] ?? '';
const parts = Object.entries(COMMANDS[command] ?? {});
if (parts.length === 0) throw new Error(`Which of ${Object.keys(COMMANDS).join(', ')}?`);

const began = Date.now();
const times = [];

/** Runs the parts that have not begun yet, one after the other. */
async function runParts() {
  for (let part = parts.shift(); part; part = parts.shift()) {
    const [script, advice] = part;
    const since = Date.now();
    const status = await (command === 'check' ? runCollected(script) : run(script, 'inherit').exited);
    times.push(`${script} ${lengthOf(since)}`);
    if (status === 0) continue;
    console.error(`\n${script} failed. ${advice}`);
    process.exitCode = 1;
    if (NEEDED.includes(script)) return;
  }
}

/** What it prints comes as a whole: others run beside it. */
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

// Checks need nothing of each other; tests have the machine to themselves.
await Promise.all(Array.from({ length: command === 'check' ? availableParallelism() : 1 }, runParts));
console.log(`npm ${command === 'test' ? '' : 'run '}${command} took ${lengthOf(began)}: ${times.join(', ')}`);

/** @param {number} since ms since the epoch */
function lengthOf(since) {
  const seconds = Math.round((Date.now() - since) / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
