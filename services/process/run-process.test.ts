import { expect, it } from 'vitest';
import { addressToOpen } from './run-process.ts';

it('AUTH7 the address that a shop prints can be opened in a browser, even if the shop listens on all addresses', () => {
  expect(addressToOpen('http://0.0.0.0:8080')).toBe('http://127.0.0.1:8080');
  expect(addressToOpen('http://[::]:8080')).toBe('http://127.0.0.1:8080');
  for (const own of ['http://127.0.0.1:8080', 'http://[::1]:8080', 'http://10.0.0.0:8080']) {
    expect(addressToOpen(own)).toBe(own);
  }
});
