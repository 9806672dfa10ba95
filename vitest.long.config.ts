import { defineConfig } from 'vitest/config';

/**
 * Runs the tests listed here at full length. (`npm test` runs shorter versions of them.) The tests fuzz a shop, cut
 * connections, sell a product out, kill shops while they start, sell, send mail and move money, kill a process that
 * appends events, delete accounts during payments, and race refunds against shipments.
 */
export default defineConfig({
  test: {
    env: { LONG_RUN: '1' },
    include: [
      'web/e2e/convergence.test.ts',
      'services/shop/payment/refund-routes.test.ts',
      'services/whole-shop/fuzz/fuzz.test.ts',
      'services/whole-shop/hot-product.test.ts',
      'services/whole-shop/kill.test.ts',
      'services/whole-shop/mail-kill.test.ts',
      'services/whole-shop/money-kill.test.ts',
      'services/whole-shop/erasure-races.test.ts',
      'services/whole-shop/ready.test.ts',
      'services/embedded/sqlite/sqlite-event-log.test.ts',
    ],
    // Files run one at a time, because each of them uses the whole machine.
    fileParallelism: false,
    environment: 'node',
    // How long `expect.poll` waits. On a busy machine, the default of one second is too short.
    expect: { poll: { timeout: 15_000 } },
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
