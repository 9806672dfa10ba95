import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { Reporter, SerializedError, TestCase, TestModule, TestSpecification, Vitest } from 'vitest/node';
import { createProgress, type Progress, QUIET_MS } from './progress.ts';

/** Prints the progress of a vitest run. */
export default class VitestProgress implements Reporter {
  private command = 'npx vitest run';
  private root = '';
  private progress: Progress | undefined;
  private timer: NodeJS.Timeout | undefined;

  onInit(vitest: Vitest): void {
    const { root } = vitest.config;
    this.root = root;
    const config = relative(root, vitest.vite.config.configFile || '');
    if (config !== 'vitest.config.ts') this.command += ` --config ${config}`;
  }

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.progress = createProgress(specifications.length, console.log, Date.now);
    this.timer = setInterval(() => this.progress?.stillRunning(), QUIET_MS / 2).unref();
  }

  onTestModuleQueued(module: TestModule): void {
    this.progress?.fileStarted(this.fileOf(module));
  }

  onTestCaseResult(test: TestCase): void {
    const { state, errors = [] } = test.result();
    if (state === 'failed') this.failed(test.module, test.fullName, errors);
  }

  onTestModuleEnd(module: TestModule): void {
    // These errors come from loading the file, or from its hooks.
    const errors = [...module.errors(), ...[...module.children.allSuites()].flatMap((suite) => suite.errors())];
    if (errors.length > 0) this.failed(module, 'could not be run', errors);
    const states = [...module.children.allTests()].map((test) => test.result().state);
    const { duration, collectDuration, environmentSetupDuration, setupDuration } = module.diagnostic();
    this.progress?.fileFinished({
      file: this.fileOf(module),
      passed: states.filter((state) => state === 'passed').length,
      failed: states.filter((state) => state === 'failed').length + (errors.length > 0 ? 1 : 0),
      ms: duration + collectDuration + environmentSetupDuration + setupDuration,
    });
  }

  onTestRunEnd(_modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    clearInterval(this.timer);
    for (const error of unhandled) {
      const file = relative(this.root, (error.VITEST_TEST_PATH as string | undefined) ?? '') || 'an unknown file';
      const again = `${this.command} ${file}`;
      this.progress?.failed({ file, title: 'an error that no test caught', errors: [textOf(error)], again });
    }
  }

  private failed(module: TestModule, title: string, errors: readonly SerializedError[]): void {
    const file = this.fileOf(module);
    this.progress?.failed({ file, title, errors: errors.map(textOf), again: `${this.command} ${file}` });
  }

  private fileOf(module: TestModule): string {
    return relative(this.root, module.moduleId);
  }
}

function textOf({ name, message, diff, stacks, stack }: SerializedError): string {
  const frames = (stacks ?? []).map(({ file, line, column }) => `at ${relative('', file)}:${line}:${column}`);
  const parts = [`${name ?? 'Error'}: ${message}`, diff, frames.length > 0 ? frames.join('\n') : stack];
  return stripVTControlCharacters(parts.filter(Boolean).join('\n'));
}
