import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

// `npm test` and CI set this folder. They read the results from a file in it, and people read the progress.
const results = process.env.TEST_RESULTS;

/** Test files that mock or reload modules, and therefore can't share loaded modules with other test files. */
const OWN_MODULES = [
  'services/http/lost-store.test.ts',
  'services/pages/prerendered-pages.test.ts',
  'web/e2e/**/*.test.ts',
];

/** Newer versions of Node have a storage of their own, which would take the place of the page's. */
const WITHOUT_STORAGE = process.allowedNodeEnvironmentFlags.has('--experimental-webstorage')
  ? ['--no-experimental-webstorage']
  : [];

/** How long `expect.poll` waits. On a busy machine, the default of one second is too short. */
const PATIENT = { poll: { timeout: 15_000 } };

export default defineConfig({
  test: {
    // More workers than cores, because many tests spend part of their time waiting for processes that they started.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    reporters: results
      ? ['./infra/progress/vitest-progress.ts', ['json', { outputFile: `${results}/vitest.json` }]]
      : ['default'],
    projects: [
      {
        test: {
          name: 'services',
          include: ['services/**/*.test.ts', 'infra/**/*.test.ts', 'web/lighthouse/*.test.ts'],
          exclude: ['**/*.servers.test.ts', ...OWN_MODULES, '**/node_modules/**'],
          environment: 'node',
          expect: PATIENT,
          // Test files share loaded modules. Loading them separately for each file took a quarter of the run time.
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
          execArgv: WITHOUT_STORAGE,
          expect: PATIENT,
          isolate: false,
          setupFiles: ['web/src/app/each-file.fixture.ts'],
          testTimeout: 20_000,
        },
      },
      {
        test: {
          name: 'own modules',
          include: OWN_MODULES,
          exclude: ['**/*.servers.test.ts', '**/node_modules/**'],
          environment: 'node',
          expect: PATIENT,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
