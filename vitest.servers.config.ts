import { defineConfig } from 'vitest/config';

// Continuous integration reads the results from a file beside what a person reads.
const results = process.env.TEST_RESULTS;

/** Whole shops that keep both cores busy: each of these has the machine to itself. Those that mostly wait have not. */
const ALONE = [
  'web/e2e/**/*.servers.test.ts',
  'services/whole-shop/{import-log,limits-at-two-copies,roles}.servers.test.ts',
  'services/whole-shop/upgrade/*.servers.test.ts',
];

const settings = {
  environment: 'node',
  testTimeout: 60_000,
  hookTimeout: 120_000,
};

/** Tests on real Kafka, MongoDB and Redis, in containers that are started once for the whole run. */
export default defineConfig({
  test: {
    globalSetup: ['services/servers/test-servers/start-servers.fixture.ts'],
    // A busy machine stops the containers in more than the runner's 10 s.
    teardownTimeout: 60_000,
    // Told one by one: faults under load take their time.
    reporters: results ? ['verbose', ['json', { outputFile: `${results}/servers.json` }]] : ['verbose'],
    projects: [
      {
        test: {
          ...settings,
          name: 'side by side',
          include: ['services/**/*.servers.test.ts'],
          exclude: [...ALONE, '**/node_modules/**'],
          // Names of their own keep them apart on the servers, and most of their time they wait.
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
