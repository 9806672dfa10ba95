/** A test file that has finished. */
export interface FinishedFile {
  readonly file: string;
  readonly passed: number;
  readonly failed: number;
  readonly ms: number;
}

/** A test, or a file that couldn't be loaded, that failed. `again` is the command that repeats it. */
export interface FailedTest {
  readonly file: string;
  readonly title: string;
  readonly errors: readonly string[];
  readonly again: string;
}

export interface Progress {
  fileStarted(file: string): void;
  fileFinished(result: FinishedFile): void;
  failed(test: FailedTest): void;
  /** Prints which files are running, unless a line was printed less than `QUIET_MS` ago. */
  stillRunning(): void;
}

/** The time after which a silent run says what it is doing. */
export const QUIET_MS = 10_000;
/** The maximum number of lines to print for each error. */
const ERROR_LINES = 30;

/**
 * Prints how far a test run is: a line per finished file, and each failure as soon as it happens.
 * @param files the number of files in the run
 * @param now the current time, in ms
 */
export function createProgress(files: number, print: (line: string) => void, now: () => number): Progress {
  const running = new Map<string, number>();
  let finished = 0;
  let printedAt = now();
  const say = (line: string) => {
    printedAt = now();
    print(line);
  };
  return {
    fileStarted(file) {
      running.set(file, now());
    },
    fileFinished({ file, passed, failed, ms }) {
      running.delete(file);
      finished += 1;
      const position = `${String(finished).padStart(String(files).length)}/${files}`;
      const outcome = failed > 0 ? `${failed} FAILED, ${passed} passed` : `${passed} passed`;
      say(`${position}  ${secondsOf(ms).padStart(7)}  ${file}: ${outcome}`);
    },
    failed({ file, title, errors, again }) {
      const lines = errors.flatMap((error) => error.trimEnd().split('\n').slice(0, ERROR_LINES));
      say(['', `FAILED  ${file}: ${title}`, ...lines.map((line) => `    ${line}`), `  again: ${again}`, ''].join('\n'));
    },
    stillRunning() {
      if (running.size === 0 || now() - printedAt < QUIET_MS) return;
      const each = [...running].map(([file, since]) => `${file} (${secondsOf(now() - since)})`);
      say(`running: ${each.join(', ')}`);
    },
  };
}

/** Formats a duration in ms, for example as `2.4 s`. */
export function secondsOf(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
