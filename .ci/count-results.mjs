// `count-results.mjs FOLDER STATUS`: adds up the results in the JSON reports that vitest and Playwright wrote to
// FOLDER, lists the failed tests and prints `N passed, N failed`. STATUS is the exit code of the test run. A missing or
// incomplete report counts as one failure. If STATUS isn't 0 but no report has a failed test, for example after an
// unhandled rejection, the run counts as one failure. A test that passes only when it is retried counts as failed.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const [, , folder, status] = process.argv;
/** The maximum number of lines to print for each error. */
const ERROR_LINES = 12;

/** Returns { passed, failures: [{ test, error }] }. A report that can't be read counts as one failure. */
function resultsOf(name, read) {
  try {
    return read(JSON.parse(readFileSync(join(folder, name), 'utf8')));
  } catch (error) {
    return { passed: 0, failures: [{ test: name, error: `This report cannot be read: ${error.message}` }] };
  }
}

function readVitest({ numPassedTests, testResults }) {
  const failures = testResults.flatMap(({ name, status, message, assertionResults }) => {
    const failed = assertionResults.filter((test) => test.status === 'failed');
    if (status === 'failed' && failed.length === 0) return [{ test: name, error: message }];
    return failed.map((test) => ({ test: `${name}: ${test.fullName}`, error: test.failureMessages.join('\n') }));
  });
  return { passed: numPassedTests, failures };
}

function readPlaywright({ stats, suites, errors }) {
  const failed = specsOf(suites).filter(({ ok, tests }) => !ok || tests.some(({ status }) => status === 'flaky'));
  const failures = failed.map(({ file, title, tests }) => ({
    test: `${file}: ${title}`,
    error: tests.flatMap(({ results }) => results.flatMap((result) => result.errors.map(messageOf))).join('\n'),
  }));
  return {
    passed: stats.expected,
    failures: [...failures, ...errors.map((error) => ({ test: 'Playwright', error: messageOf(error) }))],
  };
}

const specsOf = (suites = []) => suites.flatMap((suite) => [...(suite.specs ?? []), ...specsOf(suite.suites)]);
const messageOf = ({ message, value }) => message ?? value ?? '';

const results = [
  resultsOf('vitest.json', readVitest),
  resultsOf('playwright.json', readPlaywright),
  resultsOf('servers.json', readVitest),
  resultsOf('playwright-servers.json', readPlaywright),
];
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
