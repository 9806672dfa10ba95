import type { IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { clientAddress } from './client-address.ts';

const request = (forwarded?: string) =>
  ({ headers: { 'x-forwarded-for': forwarded }, socket: { remoteAddress: '10.0.0.9' } }) as unknown as IncomingMessage;

it.each([
  [undefined, 0, '10.0.0.9'],
  ['1.1.1.1', 0, '10.0.0.9'],
  ['1.1.1.1', 1, '1.1.1.1'],
  ['6.6.6.6, 1.1.1.1', 1, '1.1.1.1'],
  ['6.6.6.6, 1.1.1.1,10.0.0.8', 2, '1.1.1.1'],
  [undefined, 2, '10.0.0.9'],
])('RATE1 with X-Forwarded-For %s and %i trusted proxies, the client address is %s', (forwarded, proxies, address) => {
  expect(clientAddress(request(forwarded), proxies)).toBe(address);
});
