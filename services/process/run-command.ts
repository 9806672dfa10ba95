import { ReadableError } from '../runtime/readable-error.ts';

/** Runs a command line program that ends by itself: prints its answer, or why it failed, with exit code 1. */
export function runCommand(run: (args: readonly string[]) => Promise<string>): void {
  run(process.argv.slice(2)).then(
    (answer) => process.stdout.write(`${answer}\n`),
    (error: unknown) => {
      process.stderr.write(`${reasonOf(error)}\n`);
      process.exitCode = 1;
    },
  );
}

/** What a person can mend is said in one line; anything else is a fault of ours, with its stack. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error instanceof ReadableError ? error.message : (error.stack ?? error.message);
}
