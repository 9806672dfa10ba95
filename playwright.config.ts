import { defineConfig } from '@playwright/test';
import { browserSettings } from './web/e2e/browser-settings.ts';

/** Browser tests of a shop that is started the way `npm start` starts it. */
export default defineConfig({
  ...browserSettings('playwright.json'),
  testDir: 'web/e2e',
  testIgnore: 'web/e2e/servers/**',
});
