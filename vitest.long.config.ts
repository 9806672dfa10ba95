import { defineConfig } from 'vitest/config';

/**
 * Runs at full length the tests that `npm test` keeps short: odd inputs, cut connections, starts and kills of a shop,
 * kills of a process that appends, and accounts deleted while their orders are being paid.
 */
export default defineConfig({
  test: {
    env: { LONG_RUN: '1' },
    include: [
      'web/e2e/convergence.test.ts',
      'services/whole-shop/fuzz/fuzz.test.ts',
      'services/whole-shop/kill.test.ts',
      'services/whole-shop/erasure-races.test.ts',
      'services/whole-shop/ready.test.ts',
      'services/embedded/sqlite/sqlite-event-log.test.ts',
    ],
    // One file at a time, because each uses the whole machine.
    fileParallelism: false,
    environment: 'node',
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
