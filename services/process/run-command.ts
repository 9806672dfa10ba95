import { ReadableError } from '../runtime/readable-error.ts';

/** Runs a command and prints its result. If the command fails, prints the reason and exits with code 1. */
export function runCommand(run: (args: readonly string[]) => Promise<string>): void {
  run(process.argv.slice(2)).then(
    (answer) => process.stdout.write(`${answer}\n`),
    (error: unknown) => {
      process.stderr.write(`${reasonOf(error)}\n`);
      process.exitCode = 1;
    },
  );
}

/** Returns a one-line message for an error that the operator can fix, or the stack trace for a bug. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error instanceof ReadableError ? error.message : (error.stack ?? error.message);
}
