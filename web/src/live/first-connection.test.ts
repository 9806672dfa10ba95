import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createFirstConnection } from './first-connection.ts';

describe('fetches that wait for the first connection', () => {
  // Fetches wait only a short time. A fake clock keeps a busy machine from exceeding that time by accident.
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('LIVE2 fetches wait until the live socket has joined its rooms, and `open` then reports that no fetch started early', async () => {
    const gate = createFirstConnection();
    gate.close();
    let entered = false;
    const waiting = gate.joined().then(() => {
      entered = true;
    });
    await vi.advanceTimersByTimeAsync(399);
    expect(entered).toBe(false);
    expect(gate.open()).toBe(false);
    await waiting;
    expect(entered).toBe(true);
    await gate.joined();
  });

  it('LIVE2 if connecting takes too long, fetches start early, and `open` reports this because they may have missed a push', async () => {
    const gate = createFirstConnection();
    gate.close();
    const waiting = gate.joined();
    await vi.advanceTimersByTimeAsync(400);
    await waiting;
    expect(gate.open()).toBe(true);
    // Only the first `open` reports the early fetch, so there is only one refetch.
    expect(gate.open()).toBe(false);
  });

  it('LIVE2 a fetch that waited until the rooms were joined is never reported as having started early, even a second later', async () => {
    const gate = createFirstConnection();
    gate.close();
    const waiting = gate.joined();
    gate.open();
    await waiting;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(gate.open()).toBe(false);
  });
});
