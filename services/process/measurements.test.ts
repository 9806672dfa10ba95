import { expect, it } from 'vitest';
import { createMeasurements, measureRefunds } from './measurements.ts';

it('E6 PAY6 a refund that failed stands in /readyz and in the metrics, and the process is ready all the same', async () => {
  const measurements = createMeasurements();
  const failed = [{ orderId: 'a'.repeat(32), intent: 'pi_1', failures: 2 }];
  measureRefunds(measurements, { failedRefunds: () => failed });
  expect(await measurements.readiness()).toEqual({ ready: true, checks: { failedRefunds: failed } });
  expect(await measurements.registry.getSingleMetricAsString('shop_refunds_failed')).toMatch(
    /^shop_refunds_failed 1$/m,
  );
});
