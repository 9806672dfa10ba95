import { afterEach, beforeEach, vi } from 'vitest';
import { closeApp } from '../app/app.fixture.tsx';
import { makeStore } from '../app/store.ts';
import { type MemoryIdentity, memoryIdentity } from './memory-identity.fixture.ts';
import { ACCESS_TOKEN_KEY, createSessionKeeper } from './session-keeper.ts';

export const RINA = 'rina@micro-center.test';

export function open(identity: MemoryIdentity = memoryIdentity()) {
  const store = makeStore();
  const keeper = createSessionKeeper({ store, loadIdentity: async () => identity, storage: localStorage });
  const stop = keeper.start();
  const status = () => store.getState().session.status;
  return { store, keeper, identity, stop, status, session: () => store.getState().session };
}

/** Opens the app for a user who is still signed in from an earlier visit. */
export function reopen(email = RINA) {
  localStorage.setItem(ACCESS_TOKEN_KEY, 'from last time');
  return open(memoryIdentity({ kept: email }));
}

/** Advances the clock, 50 ms at a time, until `check` passes. */
export async function until(check: () => void): Promise<void> {
  for (let step = 0; step < 200; step += 1) {
    try {
      return check();
    } catch {
      await vi.advanceTimersByTimeAsync(50);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  check();
}

/** Gives each test in the file a fake clock, and closes the app after each test. */
export function ownClock(): void {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  });
  afterEach(closeApp);
}
