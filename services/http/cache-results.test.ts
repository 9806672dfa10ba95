import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { ReadModels } from '../engine/read-models/read-models.ts';
import { cacheResults } from './cache-results.ts';

const FOR_MS = 1_000;

describe('cached results', () => {
  let now: number;
  let shop: Parameters<ReturnType<typeof cacheResults>>[0];
  beforeEach(() => {
    now = 0;
    shop = { readModels: {} as ReadModels, clock: () => now };
  });

  it('BOARD1 cacheResults() reads the result for each key at most once per cache interval', async () => {
    const read = vi.fn(async () => read.mock.calls.length);
    const cached = cacheResults<number>(FOR_MS);
    expect(await Promise.all([cached(shop, 'a', read), cached(shop, 'a', read), cached(shop, 'b', read)])).toEqual([
      1, 1, 2,
    ]);
    now = FOR_MS - 1;
    expect(await cached(shop, 'a', read)).toBe(1);
    now = FOR_MS;
    expect(await cached(shop, 'a', read)).toBe(3);
  });

  it('BOARD1 a failed read is not cached, so the next call reads again', async () => {
    const cached = cacheResults<string>(FOR_MS);
    await expect(cached(shop, 'a', () => Promise.reject(new Error('down')))).rejects.toThrow('down');
    expect(await cached(shop, 'a', async () => 'up')).toBe('up');
  });

  it('BOARD1 a newer result stays cached even if an older read fails later', async () => {
    const cached = cacheResults<string>(FOR_MS);
    let fail: (error: Error) => void = () => {};
    const older = new Promise<string>((_, reject) => {
      fail = reject;
    });
    const first = cached(shop, 'a', () => older);
    now = FOR_MS;
    expect(await cached(shop, 'a', async () => 'newer')).toBe('newer');
    fail(new Error('down'));
    await expect(first).rejects.toThrow('down');
    expect(await cached(shop, 'a', async () => 'read again')).toBe('newer');
  });
});
