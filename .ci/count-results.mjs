// Adds up the JSON reports of vitest and Playwright in a folder and prints `N passed, N failed`; fails where one is missing.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = process.argv[2];
const read = (name) => JSON.parse(readFileSync(join(folder, name), 'utf8'));

const vitest = ['vitest.json', 'servers.json'].map(read);
const playwright = ['playwright.json', 'playwright-servers.json'].map((name) => read(name).stats);
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

const passed = sum(vitest.map((run) => run.numPassedTests)) + sum(playwright.map((run) => run.expected));
const failed =
  sum(vitest.map((run) => run.numFailedTests + run.numFailedTestSuites)) +
  sum(playwright.map((run) => run.unexpected + run.flaky));
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);
