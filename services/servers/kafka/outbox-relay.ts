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

/**
 * The maximum number of open commits that a round lists. That many commits take about 20 MB of memory. Open commits
 * beyond the limit wait until older commits are closed.
 */
const LISTED_AT_ONCE = 100_000;
/** The maximum number of commits that a round publishes. */
const PUBLISHED_AT_ONCE = 2_000;
/**
 * A commit that is still open after being republished this many times is parked, because its stream most likely can't
 * be projected.
 */
const PARKED_AFTER = 3;
/**
 * The maximum number of parked commits that a round republishes. The limit rises once some parked commits have been
 * closed.
 */
const PARKED_AT_ONCE = 10;

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
  readonly listedAtOnce?: number;
}

interface OpenCommit {
  readonly name: string;
  readonly to: TopicPartition;
  dueAt: number;
  tries: number;
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
  const { schedule = scheduleTimer, interval = 1_000, openFor = 2_000, longest = 30_000 } = options;
  const { listedAtOnce = LISTED_AT_ONCE } = options;
  const openForAtTry = exponentialBackOff({ first: openFor, longest }, 0);
  const stopping = new AbortController();
  let republished = 0;
  /** the open commits that the last round listed, by name */
  let open = new Map<string, OpenCommit>();
  /** The number of parked commits that were closed between the last two lists. Their streams can be projected again. */
  let recovered = 0;

  async function round(): Promise<void> {
    await listOldest();
    const due = [...open.values()].filter(({ dueAt }) => dueAt <= now());
    if (due.length === 0) return;
    const positions = await cluster.positions(group, [...new Set(due.map(({ to }) => to.topic))]);
    await publishAgain(choose(due.filter((commit) => hasPassed(commit, positions))));
  }

  async function listOldest(): Promise<void> {
    const listed = new Map<string, OpenCommit>();
    for (const name of await outbox.list(listedAtOnce)) {
      const commit = open.get(name) ?? (await firstSeen(name));
      if (commit) listed.set(name, commit);
    }
    recovered = [...open.values()].filter((commit) => isParked(commit) && !listed.has(commit.name)).length;
    open = listed;
  }

  async function firstSeen(name: string): Promise<OpenCommit | null> {
    const stream = streamOfCommit(name);
    const document = stream && documentOf(stream);
    // Without a document, a commit is never open, and there is no topic to publish it to.
    if (!document) return null;
    const topic = topics[document.kind];
    const partition = await cluster.partitionOf(topic, stream);
    return { name, to: { topic, partition }, dueAt: now() + openForAtTry(1), tries: 0, mark: null };
  }

  /**
   * Chooses the commits to publish now: first those with the fewest attempts, and only a few of the parked ones. Each
   * commit that has recovered lets the round publish two more parked commits, so a long backlog shrinks ever faster.
   */
  function choose(ready: readonly OpenCommit[]): OpenCommit[] {
    const inTurn = [...ready].sort((one, other) => one.tries - other.tries || one.dueAt - other.dueAt);
    const parked = inTurn.filter(isParked).slice(0, PARKED_AT_ONCE + 2 * recovered);
    return [...inTurn.filter((commit) => !isParked(commit)), ...parked].slice(0, PUBLISHED_AT_ONCE);
  }

  async function publishAgain(chosen: readonly OpenCommit[]): Promise<void> {
    if (chosen.length === 0) return;
    for (const commit of chosen) {
      commit.tries += 1;
      commit.dueAt = now() + openForAtTry(commit.tries + 1);
      commit.mark = null;
    }
    const commits = await outbox.read(chosen.map(({ name }) => name));
    // Commit names sort by version within a stream, so each stream's commits are published in order.
    commits.sort((one, other) => (one.name < other.name ? -1 : 1));
    const results = await Promise.allSettled(commits.map((commit) => publisher.publish(commit)));
    republished += results.filter(({ status }) => status === 'fulfilled').length;
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
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

function isParked({ tries }: OpenCommit): boolean {
  return tries >= PARKED_AFTER;
}

/**
 * Reports whether the consumer group has read past everything that was in the commit's partition when the commit was
 * first found due, and notes where the partition ended then. If it hasn't, earlier messages for this commit may still be unread, so sending another one wouldn't help. If the
 * topic was recreated, its partition may end before `mark`. In that case, the group only has to reach the partition's
 * end.
 */
function hasPassed(commit: OpenCommit, positions: readonly PartitionPosition[]): boolean {
  const position = findPartition(positions, commit.to);
  if (!position) return false;
  commit.mark ??= position.end;
  return position.next >= Math.min(commit.mark, position.end);
}
