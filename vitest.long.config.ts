import { defineConfig } from 'vitest/config';

/** What each run does in short, at its full length: kills of a shop, and of a process that appends. */
export default defineConfig({
  test: {
    env: { LONG_RUN: '1' },
    include: ['services/whole-shop/kill.test.ts', 'services/embedded/sqlite/sqlite-event-log.test.ts'],
    environment: 'node',
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
