import { setTimeout as timeout } from 'node:timers/promises';
import { exponentialBackOff } from '../../runtime/schedule.ts';
import { within } from '../../runtime/store-unavailable.ts';
import { AppendOutcomeUnknown, type AppendResult, type Commit, type EventLog } from '../log/event-log.ts';

const pauseAfter = exponentialBackOff({ first: 25, longest: 250 });

/**
 * Appends a commit. After an unknown outcome, retries the same commit (LOG2) for up to `timeoutMs` (CMD7).
 * @throws AppendOutcomeUnknown
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
  for (let tries = 1; ; tries += 1) {
    try {
      return await log.append(commit);
    } catch (error) {
      if (!(error instanceof AppendOutcomeUnknown) || expired()) throw error;
      await timeout(pauseAfter(tries));
      if (expired()) throw error;
    }
  }
}
