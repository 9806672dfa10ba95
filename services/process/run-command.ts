import { ReadableError } from '../runtime/readable-error.ts';

/** Prints what the command returns, or why it failed, with exit code 1. */
export function runCommand(run: (args: readonly string[]) => Promise<string>): void {
  run(process.argv.slice(2)).then(
    (answer) => process.stdout.write(`${answer}\n`),
    (error: unknown) => {
      process.stderr.write(`${reasonOf(error)}\n`);
      process.exitCode = 1;
    },
  );
}

/** One line for what a person can fix, a stack for bugs. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error instanceof ReadableError ? error.message : (error.stack ?? error.message);
}
