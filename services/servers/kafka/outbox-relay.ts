import { documentOf, streamOfCommit } from '../../contracts/ids.ts';
import type { Outbox } from '../../engine/feed/outbox.ts';
import { exponentialBackOff, type Schedule, scheduleTimer, sleep } from '../../runtime/schedule.ts';
import {
  findPartition,
  type KafkaCluster,
  type PartitionPosition,
  type TopicPartition,
  type Topics,
} from './kafka-cluster.ts';
import type { Publisher } from './publisher.ts';

/** The maximum number of open commits that one list() call returns. The next call continues after the last of them. */
const LISTED_AT_ONCE = 20_000;
/**
 * The maximum number of watched commits. That many commits take about 20 MB of memory. When the maximum is reached, the
 * relay stops watching parked commits until a later list() call returns them again.
 */
const MAX_WATCHED = 100_000;
/**
 * Every round republishes overdue commits. Only one of every `ROUNDS_PER_LOOK` rounds also looks for newly opened
 * commits.
 */
const ROUNDS_PER_LOOK = 2;
/**
 * A round publishes at most a quarter of the watched commits, but the limit is never below `least` or above `most`. If
 * at most 4,000 commits are watched, each commit therefore gets its turn within 2 s of becoming due.
 */
const PUBLISHED_AT_ONCE = { least: 200, most: 1_000 };
/**
 * A commit that is still open after being republished this many times is parked, because its stream most likely can't
 * be projected.
 */
const PARKED_AFTER = 3;
/**
 * The maximum number of parked commits that a round republishes. The limit rises once some parked commits have been
 * closed.
 */
const PARKED_AT_ONCE = 5;

/**
 * Republishes commits that stay open after a crash, a lost message or a failed step (FEED2). Commits that are still
 * open after several attempts are parked. Parked commits don't delay other commits, and are sent only rarely (FEED3).
 */
export interface OutboxRelay {
  republished(): number;
  stop(): Promise<void>;
}

export interface OutboxRelayOptions {
  readonly outbox: Pick<Outbox, 'list' | 'read'>;
  readonly publisher: Pick<Publisher, 'publish'>;
  readonly cluster: Pick<KafkaCluster, 'partitionOf' | 'positions'>;
  readonly topics: Topics;
  readonly group: string;
  /** A monotonic clock in ms. With a wall clock, a clock adjustment could make every commit overdue, or none. */
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
  readonly schedule?: Schedule;
  readonly interval?: number;
  /** How long a commit may stay open before it is republished, in ms. The time doubles with each attempt. */
  readonly openFor?: number;
  /** the maximum value that `openFor` can double to, in ms */
  readonly longest?: number;
  /** the maximum number of open commits watched at a time */
  readonly mostWatched?: number;
}

interface Watched {
  readonly to: TopicPartition;
  dueAt: number;
  tries: number;
  /** the number of the last walk that listed this commit; each walk goes through all open commits */
  lastSeenIn: number;
  /**
   * The partition's end offset, recorded when the commit became due; null before that. Any message that was sent
   * earlier for this commit has a lower offset.
   */
  mark: number | null;
}

/**
 * Starts a relay. Any number of relays may run, each using its own clock. If two relays publish the same commit,
 * consumers handle it twice.
 */
export function startOutboxRelay(options: OutboxRelayOptions): OutboxRelay {
  const { outbox, publisher, cluster, topics, group, now, onError } = options;
  const { schedule = scheduleTimer, interval = 500, openFor = 2_000, longest = 30_000 } = options;
  const { mostWatched = MAX_WATCHED } = options;
  const openForAfter = exponentialBackOff({ first: 2 * openFor, longest }, 0);
  const watched = new Map<string, Watched>();
  const stopping = new AbortController();
  let republished = 0;
  let rounds = 0;
  /**
   * The current walk through all open commits. If there are more than `LISTED_AT_ONCE` open commits, a walk takes
   * several list() calls. `listed` counts the commits that the walk has listed so far.
   */
  let walk = { number: 0, listed: 0 };
  /**
   * The number of parked commits that the last walk found to be closed. Their streams can be projected again, so each
   * round may republish this many parked commits on top of `PARKED_AT_ONCE`.
   */
  let recovered = 0;

  /**
   * Lists the next open commits of the walk. At the end of a walk, stops watching the commits that have been closed.
   */
  async function look(): Promise<void> {
    const names = await outbox.list(LISTED_AT_ONCE, walk.listed);
    for (const name of names) await watch(name);
    if (names.length === LISTED_AT_ONCE) {
      walk.listed += names.length;
      return;
    }
    // If a single list() call returned all open commits, any watched commit that it didn't return has been closed. If
    // the walk took several calls, it may have missed open commits, because commits that close between two calls shift
    // the list. In that case, a commit counts as closed only if both this walk and the previous one missed it.
    const hadOneLook = walk.listed === 0;
    const oldestWalkOfOpen = hadOneLook ? walk.number : walk.number - 1;
    const closed = [...watched].filter(([, entry]) => entry.lastSeenIn < oldestWalkOfOpen);
    for (const [name] of closed) watched.delete(name);
    recovered = closed.filter(([, entry]) => isParked(entry)).length;
    walk = { number: walk.number + 1, listed: 0 };
  }

  async function watch(name: string): Promise<void> {
    const known = watched.get(name);
    if (known) known.lastSeenIn = walk.number;
    const stream = streamOfCommit(name);
    const document = stream && documentOf(stream);
    // A stream without a document isn't published to any topic.
    if (known || !document) return;
    if (watched.size >= mostWatched) dropParked();
    if (watched.size >= mostWatched) return;
    const topic = topics[document.kind];
    const partition = await cluster.partitionOf(topic, stream);
    const dueAt = now() + openFor;
    watched.set(name, { to: { topic, partition }, dueAt, tries: 0, lastSeenIn: walk.number, mark: null });
  }

  function dropParked(): void {
    for (const [name, entry] of watched) if (isParked(entry)) watched.delete(name);
  }

  /**
   * Returns the due commits, ordered by number of attempts and then by due time. Parked commits therefore come last.
   */
  function due(): [string, Watched][] {
    const entries = [...watched].filter(([, { dueAt }]) => dueAt <= now());
    return entries.sort(([, one], [, other]) => one.tries - other.tries || one.dueAt - other.dueAt);
  }

  /** Chooses the commits to publish now, and sets when each is due again. */
  function takeOverdue(positions: readonly PartitionPosition[]): string[] {
    const overdue: string[] = [];
    const { least, most } = PUBLISHED_AT_ONCE;
    const atOnce = Math.min(most, Math.max(least, Math.ceil(watched.size / 4)));
    let parked = 0;
    for (const [name, entry] of due()) {
      if (overdue.length === atOnce) break;
      if (isParked(entry) && parked === PARKED_AT_ONCE + recovered) break;
      const position = findPartition(positions, entry.to);
      if (!position) continue;
      entry.mark ??= position.end;
      if (!hasPassed(entry.mark, position)) continue;
      if (isParked(entry)) parked += 1;
      entry.tries += 1;
      entry.dueAt = now() + openForAfter(entry.tries);
      entry.mark = null;
      overdue.push(name);
    }
    return overdue;
  }

  async function publishAgain(names: readonly string[]): Promise<void> {
    const commits = await outbox.read(names);
    // Commit names sort by version within a stream, so each stream's commits are published in order.
    commits.sort((one, other) => (one.name < other.name ? -1 : 1));
    const results = await Promise.allSettled(commits.map((commit) => publisher.publish(commit)));
    republished += results.filter(({ status }) => status === 'fulfilled').length;
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
  }

  async function round(): Promise<void> {
    const asked = new Set(due().map(([, { to }]) => to.topic));
    const positions = asked.size > 0 ? await cluster.positions(group, [...asked]) : [];
    if (rounds % ROUNDS_PER_LOOK === 0) await look();
    rounds += 1;
    const overdue = takeOverdue(positions);
    if (overdue.length > 0) await publishAgain(overdue);
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      await round().catch(onError);
      await sleep(schedule, interval, stopping.signal);
    }
  }

  const running = run();
  return {
    republished: () => republished,
    stop() {
      stopping.abort();
      return running;
    },
  };
}

function isParked({ tries }: Watched): boolean {
  return tries >= PARKED_AFTER;
}

/**
 * Reports whether the consumer group has read up to `mark`, the partition's end offset that was recorded when the
 * commit became due. If it hasn't, earlier messages for this commit may still be unread, so sending another one
 * wouldn't help. If the topic was recreated, its partition may end before `mark`. In that case, the group only has to
 * reach the partition's end.
 */
function hasPassed(mark: number, { next, end }: PartitionPosition): boolean {
  return next >= Math.min(mark, end);
}
