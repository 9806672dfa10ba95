import { randomBytes } from 'node:crypto';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { compress } from './compress.ts';

it('RATE1 responses are compressed off the main thread, one at a time', async () => {
  const large = Buffer.from(randomBytes(2_000_000).toString('hex'));
  const small = Buffer.from('small');
  const ends: string[] = [];
  let passes = 0;
  const count = () => {
    passes += 1;
    if (ends.length === 0) setImmediate(count);
  };
  setImmediate(count);
  const [first, second] = await Promise.all([
    compress(large, 'br').finally(() => ends.push('large')),
    compress(small, 'gzip').finally(() => ends.push('small')),
  ]);
  expect(ends).toEqual(['large', 'small']);
  expect(passes).toBeGreaterThan(2);
  expect([brotliDecompressSync(first).equals(large), gunzipSync(second).equals(small)]).toEqual([true, true]);
});
