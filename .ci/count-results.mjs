// Adds up the JSON reports of vitest and Playwright in a folder: names what failed and prints `N passed, N failed`.
// A runner that has written no report has failed.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = process.argv[2];
/** How much of an error is shown, in lines. */
const ERROR_LINES = 12;

/** What a report says, as { passed, failures: [{ test, error }] }. */
function resultsOf(name, read) {
  const path = join(folder, name);
  if (!existsSync(path)) return { passed: 0, failures: [{ test: name, error: 'This report was not written.' }] };
  return read(JSON.parse(readFileSync(path, 'utf8')));
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
for (const { test, error } of failures) {
  console.log(`failed: ${test}`);
  for (const line of error.split('\n').slice(0, ERROR_LINES)) console.log(`    ${line}`);
}
console.log(`${passed} passed, ${failures.length} failed`);
process.exit(failures.length === 0 && passed > 0 ? 0 : 1);
