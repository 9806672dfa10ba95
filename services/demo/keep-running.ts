import type { Clock } from '../runtime/clock.ts';
import type { Logger } from '../runtime/log.ts';

/** A child process. */
interface Child {
  /** Ends it, and waits for that. */
  stop(): Promise<void>;
  /** Resolves when it has ended, asked to or not. */
  readonly exited: Promise<unknown>;
}

/** A child that ends this often within the time below is broken, and is not started again. */
const MOST_STARTS = 5;
const WITHIN_MS = 60_000;

/**
 * Starts a child again, with `restart`, whenever it ends without having been asked to.
 * @returns what stops it for good
 */
export function keepRunning(
  name: string,
  first: Child,
  restart: () => Promise<Child>,
  about: {
    readonly clock: Clock;
    readonly logger: Pick<Logger, 'warn'>;
    /** told why it is not started again */
    readonly onGivenUp: (reason: string) => void;
  },
): { stop(): Promise<void> } {
  const { clock, logger, onGivenUp } = about;
  let child = first;
  let stopping = false;
  const ends: number[] = [];

  async function watch(): Promise<void> {
    for (;;) {
      await child.exited;
      if (stopping) return;
      ends.push(clock());
      const recent = ends.slice(-MOST_STARTS);
      if (recent.length === MOST_STARTS && clock() - (recent[0] ?? 0) < WITHIN_MS) {
        onGivenUp(`The ${name} has ended ${MOST_STARTS} times within a minute.`);
        return;
      }
      logger.warn({ child: name }, 'a child process has ended and is started again');
      child = await restart();
      if (stopping) await child.stop();
    }
  }
  const watching = watch().catch((error: Error) =>
    onGivenUp(`The ${name} could not be started again: ${error.message}`),
  );

  return {
    async stop() {
      stopping = true;
      await child.stop();
      await watching;
    },
  };
}
