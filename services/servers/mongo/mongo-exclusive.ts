import { setTimeout as timeout } from 'node:timers/promises';
import type { Db } from 'mongodb';
import { type Exclusive, ExclusiveUnavailable } from '../../http/exclusive/exclusive.ts';
import { createInProcessExclusive } from '../../http/exclusive/in-process-exclusive.ts';
import { type Every, everyInterval } from '../../runtime/schedule.ts';
import { type Lease, mongoLeases } from './mongo-lease.ts';

/** Between two tries: the first pause, doubled each time up to the longest. In milliseconds. */
const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 250;
/** A holder who lives shows it this many times in the length of a lease. */
const BEATS_PER_LEASE = 4;

export interface MongoExclusiveSettings {
  readonly db: Db;
  /** milliseconds that only ever pass: a step of the clock on the wall must not take a living holder for dead */
  readonly now?: () => number;
  /** makes ids that never repeat */
  readonly newId: () => string;
  /** told what goes wrong beside the work: a lease that could not be renewed or let go, or was lost meanwhile */
  readonly onError: (error: unknown) => void;
  /** how long nothing may be seen of a holder until they are taken for dead */
  readonly leaseMs?: number;
  /** how long a caller waits to be let in; longer than a lease, so that a dead holder keeps nobody out */
  readonly patienceMs?: number;
  readonly every?: Every;
  readonly wait?: (milliseconds: number) => Promise<void>;
}

/**
 * Work alone among all processes on one database, by a lease for each name. Whoever waits measures by their own clock for
 * how long a holder has shown no life, so clocks that differ do no harm. Works of other processes come in no
 * order. close() leaves the connection open.
 */
export function createMongoExclusive(settings: MongoExclusiveSettings): Exclusive {
  const { db, newId, onError, now = () => performance.now() } = settings;
  const { leaseMs = 10_000, patienceMs = 15_000, every = everyInterval, wait = timeout } = settings;
  const leases = mongoLeases(db);
  // Within this process they queue, so that at most one of them asks for the lease.
  const inProcess = createInProcessExclusive();
  let closed = false;

  async function take(name: string, holder: string, deadline: number): Promise<void> {
    const showsNoLife = watchHolder(now, leaseMs);
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      if (await leases.take(name, holder)) return;
      const lease = await leases.read(name);
      if (lease && showsNoLife(lease) && (await leases.takeOver(lease, holder))) return;
      if (closed || now() >= deadline) throw new ExclusiveUnavailable(`${name} was not begun: another holds it.`);
      await wait(pause);
    }
  }

  async function underLease<T>(name: string, deadline: number, work: () => Promise<T>): Promise<T> {
    const holder = newId();
    try {
      await take(name, holder, deadline);
    } catch (error) {
      if (error instanceof ExclusiveUnavailable) throw error;
      throw new ExclusiveUnavailable(`${name} was not begun: its lease cannot be asked for.`, { cause: error });
    }
    const endBeats = every(leaseMs / BEATS_PER_LEASE, () => void leases.renew(name, holder).catch(onError));
    try {
      return await work();
    } finally {
      endBeats();
      await release(name, holder);
    }
  }

  /** The work is done by now: what goes wrong here is no reason to call it failed. */
  async function release(name: string, holder: string): Promise<void> {
    try {
      const held = await leases.release(name, holder);
      if (!held) onError(new Error(`${name} was taken over while its work went on: it may not have run alone.`));
    } catch (error) {
      onError(error);
    }
  }

  return {
    async run(name, work) {
      const deadline = now() + patienceMs;
      return inProcess.run(name, () => underLease(name, deadline, work));
    },
    async close() {
      closed = true;
      await inProcess.close();
    },
  };
}

/** Answers whether a lease has stood unchanged, before the eyes of this process, for its whole length. */
function watchHolder(now: () => number, leaseMs: number): (lease: Lease) => boolean {
  let seen: Lease | null = null;
  let since = 0;
  return (lease) => {
    if (seen && seen.holder === lease.holder && seen.beat === lease.beat) return now() - since >= leaseMs;
    seen = lease;
    since = now();
    return false;
  };
}
