import { defineConfig } from 'vitest/config';

// Continuous integration reads the results from a file beside what a person reads.
const results = process.env.TEST_RESULTS;

/** Tests on real Kafka, MongoDB and Redis, in containers that are started once for the whole run. */
export default defineConfig({
  test: {
    name: 'servers',
    include: ['services/**/*.servers.test.ts', 'web/e2e/**/*.servers.test.ts'],
    globalSetup: ['services/test-servers/start-servers.fixture.ts'],
    environment: 'node',
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // The servers and the processes under test share the machine with the tests.
    fileParallelism: false,
    // Told one by one: faults under load take their time.
    reporters: results ? ['verbose', ['json', { outputFile: `${results}/servers.json` }]] : ['verbose'],
  },
});
