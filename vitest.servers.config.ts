import { defineConfig } from 'vitest/config';

// Continuous integration reads the results from a file beside what a person reads.
const results = process.env.TEST_RESULTS;

/** Whole shops of many processes, and brokers that die: each of these has the machine to itself. */
const ALONE = [
  'web/e2e/**/*.servers.test.ts',
  'services/whole-shop/**/*.servers.test.ts',
  'services/servers/kafka/{kafka-feed-faults,publisher}.servers.test.ts',
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
    // Told one by one: faults under load take their time.
    reporters: results ? ['verbose', ['json', { outputFile: `${results}/servers.json` }]] : ['verbose'],
    projects: [
      {
        test: {
          ...settings,
          name: 'adapters',
          include: ['services/**/*.servers.test.ts'],
          exclude: [...ALONE, '**/node_modules/**'],
          // Names of their own keep them apart on the servers.
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...settings,
          name: 'shops',
          include: ALONE,
          fileParallelism: false,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
