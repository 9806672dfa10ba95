import { configure } from '@testing-library/react';
import { beforeAll, vi } from 'vitest';
import { setServerClock } from '../ui/server-clock.ts';

// How long queries wait for an element, in ms. On a busy machine, the default of one second is too short.
configure({ asyncUtilTimeout: 5_000 });

// The test files that a worker runs share one page and one copy of each module, because loading the modules again for
// each file took as long as the tests. Each file starts with an empty page.
beforeAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  document.head.replaceChildren();
  document.body.replaceChildren();
  localStorage.clear();
  sessionStorage.clear();
  history.replaceState(null, '', '/');
  // This response says that the device's clock is right.
  setServerClock(new Date(0).toUTCString(), 1_000, 0);
});
