import { fileURLToPath } from 'node:url';
import type { PlaywrightTestConfig } from '@playwright/test';
import { findChromium } from './find-chromium.ts';

// `npm test` and CI set this folder. They read the results from a file in it, and people read the progress.
const results = process.env.TEST_RESULTS;

const PROGRESS = fileURLToPath(new URL('../../infra/progress/playwright-progress.ts', import.meta.url));

/** The settings that all browser tests share. `resultsFile` is the name of the report file in the folder `$TEST_RESULTS`. */
export function browserSettings(resultsFile: string): PlaywrightTestConfig {
  return {
    testMatch: '**/*.spec.ts',
    fullyParallel: false,
    forbidOnly: process.env.CI !== undefined,
    retries: 0,
    workers: 2,
    timeout: 60_000,
    expect: { timeout: 10_000 },
    reporter: results ? [[PROGRESS], ['json', { outputFile: `${results}/${resultsFile}` }]] : 'list',
    use: {
      headless: true,
      launchOptions: {
        executablePath: findChromium(),
        args: [
          '--no-sandbox',
          '--disable-gpu',
          '--disable-quic',
          '--no-first-run',
          '--disable-background-networking',
          '--disable-component-update',
          '--disable-sync',
        ],
      },
      trace: 'off',
      screenshot: 'only-on-failure',
      viewport: { width: 1280, height: 800 },
    },
  };
}
