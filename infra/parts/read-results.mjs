import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/**
 * The results of one test runner. `files` has the time that each test file took, in ms.
 * @typedef {object} Results
 * @property {number} passed
 * @property {{ test: string, error: string }[]} failures
 * @property {{ file: string, ms: number }[]} files
 */

/** The reports that the runners write to the folder `$TEST_RESULTS`, by the command whose tests they contain. */
export const REPORTS = {
  test: { 'vitest.json': readVitest, 'playwright.json': readPlaywright },
  'test:servers': { 'servers.json': readVitest, 'playwright-servers.json': readPlaywright },
};

/**
 * Reads one report. A report that is missing or can't be read counts as one failure.
 * @param {string} folder
 * @param {string} name
 * @param {(report: object) => Results} read
 * @returns {Results}
 */
export function readReport(folder, name, read) {
  try {
    return read(JSON.parse(readFileSync(join(folder, name), 'utf8')));
  } catch (error) {
    return { passed: 0, failures: [{ test: name, error: `This report cannot be read: ${error.message}` }], files: [] };
  }
}

function readVitest({ numPassedTests, testResults }) {
  const failures = testResults.flatMap(({ name, status, message, assertionResults }) => {
    const failed = assertionResults.filter((test) => test.status === 'failed');
    if (status === 'failed' && failed.length === 0) return [{ test: name, error: message }];
    return failed.map((test) => ({
      test: `${name}: ${test.fullName}`,
      error: test.failureMessages.join('\n'),
    }));
  });
  const files = testResults.map(({ name, startTime, endTime }) => ({
    file: relative('', name),
    ms: endTime - startTime,
  }));
  return { passed: numPassedTests, failures, files };
}

function readPlaywright({ stats, suites, errors, config }) {
  const specs = specsOf(suites);
  const failed = specs.filter(({ ok, tests }) => !ok || tests.some((one) => one.status === 'flaky'));
  const failures = failed.map(({ file, title, tests }) => ({
    test: `${file}: ${title}`,
    error: resultsOf(tests)
      .flatMap((result) => result.errors.map(messageOf))
      .join('\n'),
  }));
  const times = new Map();
  for (const { file, tests } of specs) {
    const ms = resultsOf(tests).reduce((sum, { duration }) => sum + duration, 0);
    times.set(file, (times.get(file) ?? 0) + ms);
  }
  const files = [...times].map(([file, ms]) => ({ file: relative('', join(config?.rootDir ?? '', file)), ms }));
  return {
    passed: stats.expected,
    failures: [...failures, ...errors.map((error) => ({ test: 'Playwright', error: messageOf(error) }))],
    files,
  };
}

const resultsOf = (tests) => tests.flatMap(({ results }) => results);
const specsOf = (suites = []) => suites.flatMap((suite) => [...(suite.specs ?? []), ...specsOf(suite.suites)]);
const messageOf = ({ message, value }) => message ?? value ?? '';
