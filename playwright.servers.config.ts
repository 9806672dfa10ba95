import { defineConfig } from '@playwright/test';
import { browserSettings } from './web/e2e/browser-settings.ts';

/** Browser tests of a shop that uses real Kafka, MongoDB and Redis servers, which run in containers. */
export default defineConfig({
  ...browserSettings('playwright-servers.json'),
  testDir: 'web/e2e/servers',
  // The tests run one at a time, because the servers, the shop's processes and the browsers share the machine.
  workers: 1,
  timeout: 120_000,
  outputDir: 'test-results/servers',
  globalSetup: './web/e2e/servers/global-setup.fixture.ts',
});
