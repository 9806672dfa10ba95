import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { createMeasurements } from '../process/measurements.ts';
import { createRoleHealth } from './role-health.ts';

it('AUTH8 anyone can probe whether a role is ready, but only loopback requests and requests with METRICS_TOKEN see its checks and metrics', async () => {
  const measurements = createMeasurements();
  measurements.report(async () => ({ ready: true, checks: { mongodb: true } }));
  const app = createRoleHealth(measurements, { trustedProxies: 1, metricsToken: 'a-token-of-whoever-runs-it' });
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const visitor = { 'x-forwarded-for': '203.0.113.9' };
  const operator = { ...visitor, authorization: 'Bearer a-token-of-whoever-runs-it' };
  const ready = async (headers: Record<string, string>) => (await fetch(`${url}/readyz`, { headers })).json();
  const metrics = async (headers: Record<string, string>) => (await fetch(`${url}/metrics`, { headers })).status;
  expect([await ready(visitor), await metrics(visitor)]).toEqual([{ ready: true }, 403]);
  for (const headers of [operator, {}]) {
    expect([await ready(headers), await metrics(headers)]).toEqual([{ ready: true, checks: { mongodb: true } }, 200]);
  }
  expect((await fetch(`${url}/healthz`, { headers: visitor })).status).toBe(200);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
