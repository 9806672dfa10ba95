import { expect, it } from 'vitest';
import { createMeasurements, measureProjecting, measureRefunds } from './measurements.ts';

it("PAY6 a failed refund appears in /readyz and in the metrics, but doesn't make the process unready", async () => {
  const measurements = createMeasurements();
  const failed = [{ orderId: 'a'.repeat(32), intent: 'pi_1', failures: 2 }];
  measureRefunds(measurements, { failedRefunds: () => failed });
  expect(await measurements.readiness()).toEqual({ ready: true, checks: { failedRefunds: failed } });
  expect(await measurements.registry.getSingleMetricAsString('shop_refunds_failed')).toMatch(
    /^shop_refunds_failed 1$/m,
  );
});

it("PRJ4 a gauge that can't be read is reported as NaN, because a 0 would silence its alert", async () => {
  const measurements = createMeasurements();
  measurements.gauge('shop_lag', 'how far behind', () => Promise.reject(new Error('the store is away')));
  expect(await measurements.registry.getSingleMetricAsString('shop_lag')).toMatch(/^shop_lag Nan$/im);
});

it("PRJ4 /readyz lists a stopped stream, with the time of its first failure, until 120 s after the stream's last failed attempt", async () => {
  const measurements = createMeasurements();
  let now = 500_000;
  const stopped = { stream: 'order-1', since: 1_000, triedAt: now, attempts: 7, error: 'poison' } as const;
  const consumer = { caughtUp: async () => {}, stop: async () => {}, lag: async () => 0, waiting: async () => 1 };
  const projector = { project: async () => new Set<string>(), stoppedStreams: () => [stopped] };
  measureProjecting(measurements, { projector, consumer, handledAt: () => 0 }, () => now);
  const shown = async () => {
    const { ready, checks } = await measurements.readiness();
    const gauge = await measurements.registry.getSingleMetricAsString('shop_streams_stopped');
    return {
      ready,
      streams: checks.stoppedStreams,
      counted: Number(/^shop_streams_stopped (\d)$/m.exec(gauge)?.[1]),
    };
  };
  now += 120_000;
  const { stream, since, attempts } = stopped;
  expect(await shown()).toEqual({ ready: false, streams: [{ stream, since, attempts }], counted: 1 });
  now += 1;
  expect(await shown()).toEqual({ ready: true, streams: [], counted: 0 });
});

it("PRJ4 a process is ready only while all of its parts are ready, and if one part's report fails, the other parts' checks are still shown", async () => {
  const measurements = createMeasurements();
  const parts = { log: true, live: true };
  measurements.report(async () => ({ ready: parts.log, checks: { log: parts.log } }));
  measurements.report(async () => ({ ready: parts.live, checks: { live: parts.live } }));
  expect(await measurements.readiness()).toEqual({ ready: true, checks: parts });
  for (const part of ['log', 'live'] as const) {
    parts[part] = false;
    expect(await measurements.readiness()).toEqual({ ready: false, checks: parts });
    parts[part] = true;
  }
  measurements.report(() => Promise.reject(new Error('the store is away')));
  expect(await measurements.readiness()).toEqual({ ready: false, checks: { ...parts, error: 'the store is away' } });
});
