import { defineConfig } from 'vitest/config';

// Continuous integration reads the results from a file beside what a person reads.
const results = process.env.TEST_RESULTS;

/** Tests that replace a module, or load the client's modules again. */
const OWN_MODULES = ['services/http/{lost-store,prerendered-pages}.test.ts', 'web/e2e/**/*.test.ts'];

export default defineConfig({
  test: {
    // Many tests wait for processes that they have started: the runner's own core is not left to it alone.
    maxWorkers: '100%',
    reporters: results ? ['default', ['json', { outputFile: `${results}/vitest.json` }]] : ['default'],
    projects: [
      {
        test: {
          name: 'services',
          include: ['services/**/*.test.ts', 'infra/**/*.test.ts'],
          exclude: ['**/*.servers.test.ts', ...OWN_MODULES, '**/node_modules/**'],
          environment: 'node',
          // Files share the modules that they load, which took a quarter of their time.
          isolate: false,
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'web',
          include: ['web/src/**/*.test.{ts,tsx}'],
          environment: 'jsdom',
          setupFiles: ['web/src/app/patience.fixture.ts'],
          testTimeout: 20_000,
        },
      },
      {
        test: {
          name: 'own modules',
          include: OWN_MODULES,
          exclude: ['**/*.servers.test.ts', '**/node_modules/**'],
          environment: 'node',
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
