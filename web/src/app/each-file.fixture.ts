import { configure } from '@testing-library/react';
import { afterAll, beforeAll, vi } from 'vitest';
import { firstConnection } from '../live/first-connection.ts';
import { setServerClock } from '../ui/server-clock.ts';

// How long queries wait for an element, in ms. On a busy machine, the default of one second is too short.
configure({ asyncUtilTimeout: 5_000 });

// The test files that a worker runs share one page and one copy of each module, because loading the modules again for
// each file took as long as the tests. Each file therefore starts with an empty page, and its timers end with it.
// Otherwise, a store of an earlier file might still send requests, which the tests of a later file would count.
const timers = new Set<NodeJS.Timeout>();
const startTimeout = globalThis.setTimeout;
const noteTimeout = (...args: Parameters<typeof startTimeout>) => {
  const timer = startTimeout(...args);
  timers.add(timer);
  return timer;
};

beforeAll(async () => {
  document.head.replaceChildren();
  // A button that gets the focus and loses it makes useKeptFocus forget the element that had it in an earlier file.
  const button = document.createElement('button');
  document.body.replaceChildren(button);
  button.focus();
  button.blur();
  await Promise.resolve();
  button.remove();
  Object.defineProperty(window, 'scrollY', { value: 0, configurable: true });
  localStorage.clear();
  sessionStorage.clear();
  history.replaceState(null, '', '/');
  // This response says that the device's clock is right.
  setServerClock(new Date(0).toUTCString(), 1_000, 0);
  firstConnection.open();
  globalThis.setTimeout = Object.assign(noteTimeout, startTimeout);
});

afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  for (const timer of timers) clearTimeout(timer);
  timers.clear();
  globalThis.setTimeout = startTimeout;
});
