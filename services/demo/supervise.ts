import type { Clock } from '../runtime/clock.ts';
import type { Logger } from '../runtime/log.ts';
import type { ProviderProcess } from './start-provider.ts';

interface Child extends Pick<ProviderProcess, 'ready' | 'stop'> {
  readonly exited: Promise<unknown>;
}

/** A child process that exits this many times within `WITHIN_MS` isn't restarted. */
const MAX_ENDS = 5;
const WITHIN_MS = 60_000;

/**
 * Once the first child is ready, restarts the child whenever it exits on its own. `isReady()` returns true while the
 * current child can serve calls.
 */
export function supervise(
  name: string,
  first: Child,
  restart: () => Promise<Child>,
  about: {
    readonly clock: Clock;
    readonly logger: Pick<Logger, 'warn'>;
    readonly onGivenUp: (reason: string) => void;
  },
): { isReady(): boolean; stop(): Promise<void> } {
  const { clock, logger, onGivenUp } = about;
  let child = first;
  let ready = false;
  let stopping = false;
  const ends: number[] = [];

  async function watch(): Promise<void> {
    for (;;) {
      const noteReady = () => {
        ready = true;
      };
      // A rejection is ignored here, because a child that fails to start also exits, and the exit is handled below.
      child.ready.then(noteReady, () => undefined);
      await child.exited;
      ready = false;
      if (stopping) return;
      ends.push(clock());
      const recent = ends.slice(-MAX_ENDS);
      if (recent.length === MAX_ENDS && clock() - (recent[0] ?? 0) < WITHIN_MS) {
        onGivenUp(`The ${name} has ended ${MAX_ENDS} times within a minute.`);
        return;
      }
      logger.warn({ child: name }, 'a child process exited and is being restarted');
      child = await restart();
      if (stopping) await child.stop();
    }
  }
  const giveUp = (error: Error) => onGivenUp(`The ${name} could not be restarted: ${error.message}`);
  // If the first child cannot start, the caller learns why from that child's `ready` promise.
  const watching = first.ready.then(
    () => watch().catch(giveUp),
    () => undefined,
  );

  return {
    isReady: () => ready,
    async stop() {
      stopping = true;
      await child.stop();
      await watching;
    },
  };
}
