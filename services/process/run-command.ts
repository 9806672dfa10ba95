import { reasonOf } from '../runtime/reason-of.mjs';

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
