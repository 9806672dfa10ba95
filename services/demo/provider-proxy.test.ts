import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { afterEach, expect, it } from 'vitest';
import { createProviderProxy } from './provider-proxy.ts';

let server: Server | undefined;
afterEach(() => server?.close());

/** Starts a server that forwards every call to a provider that is down. */
async function startEdge(): Promise<string> {
  const absent = { code: 'payment_unavailable', detail: 'It does not answer.' } as const;
  const edge = createServer(express().use(createProviderProxy('http://127.0.0.1:9', absent, {})));
  server = edge;
  await new Promise<void>((resolve) => edge.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(edge.address() as AddressInfo).port}`;
}

it.each([
  ['larger than 64 kB', 'x'.repeat(65_537)],
  ['of unknown size', new Blob(['x']).stream()],
])('a body %s is refused before it reaches a provider', async (_what, body) => {
  const answer = await fetch(await startEdge(), { method: 'POST', body, duplex: 'half' } as RequestInit);
  expect(answer.status).toBe(413);
  expect(await answer.json()).toMatchObject({ code: 'payload_too_large' });
});

it.each([
  ['none', undefined],
  ['a small one', 'x'.repeat(65_536)],
])('a provider that is down is reported as unavailable, whatever the body: %s', async (_what, body) => {
  const answer = await fetch(await startEdge(), { method: 'POST', ...(body ? { body } : {}) });
  expect(answer.status).toBe(503);
  expect(await answer.json()).toMatchObject({ code: 'payment_unavailable', detail: 'It does not answer.' });
});
