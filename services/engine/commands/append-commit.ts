import { type BackOffLimits, exponentialBackOff, SYSTEM_TIMING, type Timing } from '../../runtime/schedule.ts';
import { within } from '../../runtime/store-unavailable.ts';
import { AppendOutcomeUnknown, type AppendResult, type Commit, type EventLog } from '../log/event-log.ts';

const PAUSES: BackOffLimits = { first: 25, longest: 250 };

/**
 * Appends a commit. If the outcome is unknown, retries the same commit (LOG2) for up to `timeoutMs` (CMD7).
 * @throws AppendOutcomeUnknown
 */
export function appendCommit(
  log: Pick<EventLog, 'append'>,
  commit: Commit,
  timeoutMs: number,
  timing: Timing = SYSTEM_TIMING,
): Promise<AppendResult> {
  const late = () => new AppendOutcomeUnknown(`Commit ${commit.id} was not acknowledged in time.`);
  return within(timeoutMs, (expired) => appendUntil(expired, log, commit, timing), late, timing.schedule);
}

async function appendUntil(
  expired: () => boolean,
  log: Pick<EventLog, 'append'>,
  commit: Commit,
  { schedule, random }: Timing,
): Promise<AppendResult> {
  const pauseAfter = exponentialBackOff(PAUSES, undefined, random);
  for (let tries = 1; ; tries += 1) {
    try {
      return await log.append(commit);
    } catch (error) {
      if (!(error instanceof AppendOutcomeUnknown) || expired()) throw error;
      await new Promise<void>((resolve) => schedule(pauseAfter(tries), resolve));
      if (expired()) throw error;
    }
  }
}
