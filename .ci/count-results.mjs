// `count-results.mjs FOLDER STATUS`: adds up the results in the JSON reports that vitest and Playwright wrote to
// FOLDER, lists the failed tests and prints `N passed, N failed`. STATUS is the exit code of the test run. A missing or
// incomplete report counts as one failure. If STATUS isn't 0 but no report has a failed test, for example after an
// unhandled rejection, the run counts as one failure. A test that passes only when it is retried counts as failed.
import { REPORTS, readReport } from '../infra/parts/read-results.mjs';

const [, , folder = '', status] = process.argv;
/** The maximum number of lines to print for each error. */
const ERROR_LINES = 12;

const reports = Object.values(REPORTS).flatMap((each) => Object.entries(each));
const results = reports.map(([name, read]) => readReport(folder, name, read));
const passed = results.reduce((total, result) => total + result.passed, 0);
const failures = results.flatMap((result) => result.failures);
if (status !== '0' && failures.length === 0) {
  failures.push({
    test: `exit code ${status}`,
    error: 'A runner failed, but no report has a failed test. Its output is above.',
  });
}
for (const { test, error } of failures) {
  console.log(`failed: ${test}`);
  for (const line of error.split('\n').slice(0, ERROR_LINES)) console.log(`    ${line}`);
}
console.log(`${passed} passed, ${failures.length} failed`);
process.exit(failures.length === 0 && passed > 0 ? 0 : 1);
