// Adds up the JSON reports of vitest and Playwright in a folder and prints `N passed, N failed`; fails where one is missing.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = process.argv[2];
const read = (name) => JSON.parse(readFileSync(join(folder, name), 'utf8'));

const unit = read('vitest.json');
const browser = read('playwright.json').stats;
const passed = unit.numPassedTests + browser.expected;
const failed = unit.numFailedTests + unit.numFailedTestSuites + browser.unexpected + browser.flaky;
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);
