import { defineConfig } from '@playwright/test';
import { browserSettings } from './web/e2e/browser-settings.ts';

/** Browser tests of a shop that runs the same way as with `npm start`. */
export default defineConfig({
  ...browserSettings('playwright.json'),
  testDir: 'web/e2e',
  testIgnore: 'web/e2e/servers/**',
});
