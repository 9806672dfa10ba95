import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createFirstConnection } from './first-connection.ts';

describe('the gate before the first connection', () => {
  // The gate's time limit is so short that a busy machine might reach it by accident. A fake clock prevents that.
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('LIVE2 makes fetches wait until the socket has joined its rooms, and reports that none started early', async () => {
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

  it('LIVE2 lets fetches start when the connection takes too long, and reports that they may have missed a push', async () => {
    const gate = createFirstConnection();
    gate.close();
    const waiting = gate.joined();
    await vi.advanceTimersByTimeAsync(400);
    await waiting;
    expect(gate.open()).toBe(true);
    // Only the first `open` reports the early fetch, so there is only one refetch.
    expect(gate.open()).toBe(false);
  });

  it('LIVE2 never counts a fetch that waited for the rooms as early, even a second after they were joined', async () => {
    const gate = createFirstConnection();
    gate.close();
    const waiting = gate.joined();
    gate.open();
    await waiting;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(gate.open()).toBe(false);
  });
});
