import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { FullConfig, Reporter, Suite, TestCase, TestError, TestResult } from '@playwright/test/reporter';
import { createProgress, type Progress, QUIET_MS } from './progress.ts';

interface OpenFile {
  left: number;
  passed: number;
  failed: number;
  ms: number;
}

/** Prints the progress of a Playwright run. */
export default class PlaywrightProgress implements Reporter {
  private command = 'npx playwright test';
  private root = '';
  private progress: Progress | undefined;
  private timer: NodeJS.Timeout | undefined;
  /** the files with tests that haven't finished */
  private readonly open = new Map<string, OpenFile>();

  onBegin({ configFile = '' }: FullConfig, suite: Suite): void {
    this.root = process.cwd();
    const config = relative(this.root, configFile);
    if (config !== 'playwright.config.ts') this.command += ` --config ${config}`;
    for (const test of suite.allTests()) {
      const file = this.open.get(this.fileOf(test)) ?? { left: 0, passed: 0, failed: 0, ms: 0 };
      this.open.set(this.fileOf(test), { ...file, left: file.left + 1 });
    }
    this.progress = createProgress(this.open.size, console.log, Date.now);
    this.timer = setInterval(() => this.progress?.stillRunning(), QUIET_MS / 2).unref();
  }

  onTestBegin(test: TestCase): void {
    const open = this.open.get(this.fileOf(test));
    if (open?.ms === 0) this.progress?.fileStarted(this.fileOf(test));
  }

  onTestEnd(test: TestCase, { duration, errors }: TestResult): void {
    const file = this.fileOf(test);
    const open = this.open.get(file);
    if (!open) return;
    open.left -= 1;
    open.ms += duration;
    if (test.ok()) {
      open.passed += 1;
    } else {
      open.failed += 1;
      const again = `${this.command} ${file}:${test.location.line}`;
      this.progress?.failed({ file, title: test.title, errors: errors.map(textOf), again });
    }
    if (open.left === 0) this.progress?.fileFinished({ file, ...open });
  }

  /** Reports an error outside of all tests, for example in a fixture's teardown. */
  onError(error: TestError): void {
    const again = this.command;
    this.progress?.failed({ file: 'Playwright', title: 'an error outside of a test', errors: [textOf(error)], again });
  }

  onEnd(): void {
    clearInterval(this.timer);
  }

  printsToStdio(): boolean {
    return true;
  }

  private fileOf(test: TestCase): string {
    return relative(this.root, test.location.file);
  }
}

const textOf = ({ message, value, stack, snippet }: TestError): string =>
  stripVTControlCharacters([stack ?? message ?? value, snippet].filter(Boolean).join('\n'));
