import { defineConfig } from 'vitest/config';

// `npm test` and CI set this folder. They read the results from a file in it, and people read the progress.
const results = process.env.TEST_RESULTS;

/**
 * Test files that use all cores or measure durations, and therefore run one at a time. The tests in all other files
 * mostly wait, so several of those files run at once.
 */
const ALONE = [
  'web/e2e/**/*.servers.test.ts',
  'services/servers/kafka/lost-commits.servers.test.ts',
  'services/whole-shop/{import-log,limits-at-two-copies,roles,stopped-streams}.servers.test.ts',
  'services/whole-shop/upgrade/*.servers.test.ts',
];

const settings = {
  environment: 'node',
  testTimeout: 60_000,
  hookTimeout: 120_000,
};

/**
 * Runs the tests against real Kafka, MongoDB and Redis servers, in containers that are started once for the whole run.
 */
export default defineConfig({
  test: {
    globalSetup: ['services/servers/test-servers/start-servers.fixture.ts'],
    // On a busy machine, stopping the containers takes longer than the default of 10 s.
    teardownTimeout: 60_000,
    reporters: results
      ? ['./infra/progress/vitest-progress.ts', ['json', { outputFile: `${results}/servers.json` }]]
      : ['verbose'],
    projects: [
      {
        test: {
          ...settings,
          name: 'side by side',
          include: ['services/**/*.servers.test.ts'],
          exclude: [...ALONE, '**/node_modules/**'],
          // The tests in these files mostly wait, and each file uses its own database and topic names, so several files
          // can run at once.
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...settings,
          name: 'alone',
          include: ALONE,
          fileParallelism: false,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
