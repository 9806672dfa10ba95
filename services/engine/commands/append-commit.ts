import { setTimeout as timeout } from 'node:timers/promises';
import { within } from '../../runtime/store-unavailable.ts';
import { AppendOutcomeUnknown, type AppendResult, type Commit, type EventLog } from '../log/event-log.ts';

/** Between two tries of one append, in ms: the pause doubles up to the longest. */
const FIRST_PAUSE = 25;
const LONGEST_PAUSE = 250;

/**
 * Appends a commit. After an unknown outcome the same commit is tried again, never a new one (LOG2), for as long as a
 * caller waits, in ms (CMD7). @throws AppendOutcomeUnknown
 */
export function appendCommit(log: Pick<EventLog, 'append'>, commit: Commit, timeoutMs: number): Promise<AppendResult> {
  const late = () => new AppendOutcomeUnknown(`Commit ${commit.id} was not acknowledged in time.`);
  return within(timeoutMs, (expired) => appendUntil(expired, log, commit), late);
}

async function appendUntil(
  expired: () => boolean,
  log: Pick<EventLog, 'append'>,
  commit: Commit,
): Promise<AppendResult> {
  for (let pause = FIRST_PAUSE; ; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
    try {
      return await log.append(commit);
    } catch (error) {
      if (!(error instanceof AppendOutcomeUnknown) || expired()) throw error;
      await timeout(pause);
      if (expired()) throw error;
    }
  }
}
