import {
  type BackOff,
  exponentialBackOff,
  PATIENT,
  type Schedule,
  scheduleTimer,
  sleep,
} from '../../runtime/schedule.ts';
import type { GroupMember } from './kafka-cluster.ts';

export interface Membership {
  leave(): Promise<void>;
}

export interface MembershipSigns {
  joined(): void;
  alive(): void;
  ended(error: unknown): void;
}

export interface StayInGroupOptions {
  /** Joins the group. If joining fails, this function must close everything that it has opened before it rejects. */
  readonly join: (signs: MembershipSigns) => Promise<Membership>;
  readonly onError: (error: unknown) => void;
  /** a monotonic clock in milliseconds */
  readonly now: () => number;
  /** How long a member may stay silent before it counts as dead, in ms. */
  readonly silentFor: number;
  readonly schedule?: Schedule;
  readonly backOff?: BackOff;
}

/** How long to wait for leave() after a membership has failed, in ms. */
const LEAVE_MS = 5_000;

/**
 * Joins a group, and joins it again with back-off whenever joining fails, the membership ends with an error, or the
 * consumer is silent for too long.
 */
export function stayInGroup(options: StayInGroupOptions): GroupMember {
  const { join, onError, now, silentFor, schedule = scheduleTimer, backOff = exponentialBackOff(PATIENT) } = options;
  const stopping = new AbortController();

  async function stayOnce(onJoined: () => void): Promise<void> {
    let failure: unknown = null;
    let lastSign = now();
    const over = new AbortController();
    const membership = await join({
      joined() {
        lastSign = now();
        onJoined();
      },
      alive() {
        lastSign = now();
      },
      ended(error) {
        failure ??= error;
        over.abort();
      },
    });
    const signal = AbortSignal.any([over.signal, stopping.signal]);
    while (!signal.aborted) {
      await sleep(schedule, silentFor / 4, signal);
      if (now() - lastSign <= silentFor || signal.aborted) continue;
      failure = new Error(`The consumer gave no sign for ${silentFor} ms.`);
      over.abort();
    }
    if (failure === null) return membership.leave();
    await leaveInTime(membership);
    throw failure;
  }

  /**
   * Leaves the group, but waits no longer than LEAVE_MS, because a leave() that hangs must not delay the next
   * membership.
   */
  async function leaveInTime(membership: Membership): Promise<void> {
    const left = new AbortController();
    const leaving = membership
      .leave()
      .catch(onError)
      .finally(() => left.abort());
    await Promise.race([leaving, sleep(schedule, LEAVE_MS, AbortSignal.any([left.signal, stopping.signal]))]);
  }

  async function run(onJoined: () => void): Promise<void> {
    for (let failures = 0; !stopping.signal.aborted; ) {
      try {
        await stayOnce(() => {
          failures = 0;
          onJoined();
        });
      } catch (error) {
        failures += 1;
        onError(error);
        await sleep(schedule, backOff(failures), stopping.signal);
      }
    }
  }

  let running = Promise.resolve();
  const joined = new Promise<void>((resolve, reject) => {
    running = run(resolve);
    void running.then(() => reject(new Error('The group was left before it was joined.')));
  });
  // Some callers don't await `joined`. This empty handler keeps a rejection of `joined` from being reported as
  // unhandled.
  joined.catch(() => {});
  return {
    joined,
    stop() {
      stopping.abort();
      return running;
    },
  };
}
