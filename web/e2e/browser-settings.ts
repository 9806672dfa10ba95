import type { PlaywrightTestConfig } from '@playwright/test';
import { findChromium } from './find-chromium.ts';

// Continuous integration reads the results from a file. People read the `list` reporter's output.
const results = process.env.TEST_RESULTS;

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
    reporter: [['list'], ...(results ? [['json', { outputFile: `${results}/${resultsFile}` }] as const] : [])],
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
