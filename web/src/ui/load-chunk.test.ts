import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ChunkLoadError, loadChunk } from './load-chunk.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('I6 loading a script leaves no timer running, whether the script loads or fails to load', async () => {
  expect(await loadChunk('page', async () => 'loaded')).toBe('loaded');
  await expect(loadChunk('page', () => Promise.reject(new Error('offline')))).rejects.toThrow(ChunkLoadError);
  expect(vi.getTimerCount()).toBe(0);
});
