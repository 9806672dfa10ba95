import { parseStreamName, streamOfCommit } from '../contracts/ids.ts';
import type { KafkaCluster, PartitionPosition, TopicPartition, Topics } from './kafka-cluster.ts';
import type { OpenCommits } from './open-commits.ts';
import type { Publisher } from './publisher.ts';
import { type Schedule, scheduleTimer, sleep } from './schedule.ts';

/** Open commits watched at once: bounds memory. Those behind them come in as these are closed. */
const WATCHED = 2_000;
/** What is newly open is looked for in one of so many rounds; the others see to what is overdue. */
const ROUNDS_PER_LOOK = 2;
/** The most commits published in one round. */
const PUBLISHED_AT_ONCE = 200;

/** Publishes again what stays open (FEED2): after a crash before publishing, a lost message, a step that failed. */
export interface Republisher {
  /** Commits that this process has published again so far. */
  republished(): number;
  /** Ends after the round in hand. */
  stop(): Promise<void>;
}

export interface RepublisherOptions {
  readonly openCommits: Pick<OpenCommits, 'list' | 'read'>;
  readonly publisher: Pick<Publisher, 'publish'>;
  readonly cluster: Pick<KafkaCluster, 'partitionOf' | 'positions'>;
  readonly topics: Topics;
  /** the group whose consumers close commits */
  readonly group: string;
  /** a monotonic clock in milliseconds: by a wall clock that is set everything would be overdue, or nothing */
  readonly now: () => number;
  /** told of each round that failed; the next one begins anew */
  readonly onError: (error: unknown) => void;
  readonly schedule?: Schedule;
  /** milliseconds between two rounds */
  readonly interval?: number;
  /** how long a commit may be open before it is published again, in milliseconds; doubled each time */
  readonly openFor?: number;
  /** the most that this time grows to, in milliseconds */
  readonly longest?: number;
}

/** An open commit that this process has seen. */
interface Watched {
  readonly to: TopicPartition;
  dueAt: number;
  wait: number;
  /** where its partition ended when its time had come */
  mark: number | null;
}

/**
 * Begins to look for open commits. Any number of copies may run: each goes by its own clock, and what two of them
 * publish is handled twice.
 */
export function startRepublisher(options: RepublisherOptions): Republisher {
  const { openCommits, publisher, cluster, topics, group, now, onError } = options;
  const { schedule = scheduleTimer, interval = 500, openFor = 2_000, longest = 30_000 } = options;
  const watched = new Map<string, Watched>();
  const stopping = new AbortController();
  let republished = 0;
  let rounds = 0;

  /** Begins to watch what is newly open, and forgets what is closed. */
  async function watch(open: ReadonlySet<string>): Promise<void> {
    for (const name of watched.keys()) if (!open.has(name)) watched.delete(name);
    for (const name of open) {
      const stream = streamOfCommit(name);
      if (watched.has(name) || !stream) continue;
      const topic = topics[parseStreamName(stream).kind];
      const partition = await cluster.partitionOf(topic, stream);
      watched.set(name, { to: { topic, partition }, dueAt: now() + openFor, wait: openFor, mark: null });
    }
  }

  /** What may be published again, the longest overdue first. */
  function due(): [string, Watched][] {
    const entries = [...watched].filter(([, { dueAt }]) => dueAt <= now());
    return entries.sort(([, one], [, other]) => one.dueAt - other.dueAt);
  }

  /** Up to so many commits that are to be published again now; their next time is set. */
  function takeOverdue(positions: readonly PartitionPosition[]): string[] {
    const overdue: string[] = [];
    for (const [name, entry] of due()) {
      if (overdue.length === PUBLISHED_AT_ONCE) break;
      if (!isPassed(entry, positions)) continue;
      entry.wait = Math.min(longest, entry.wait * 2);
      entry.dueAt = now() + entry.wait;
      entry.mark = null;
      overdue.push(name);
    }
    return overdue;
  }

  async function publishAgain(names: readonly string[]): Promise<void> {
    const commits = await openCommits.read(names);
    // The names of a stream's commits sort as its versions do.
    commits.sort((one, other) => (one.name < other.name ? -1 : 1));
    const results = await Promise.allSettled(commits.map((commit) => publisher.publish(commit)));
    republished += results.filter(({ status }) => status === 'fulfilled').length;
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
  }

  async function round(): Promise<void> {
    const asked = new Set(due().map(([, { to }]) => to.topic));
    const positions = asked.size > 0 ? await cluster.positions(group, [...asked]) : [];
    if (rounds % ROUNDS_PER_LOOK === 0) await watch(new Set(await openCommits.list(WATCHED)));
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

/**
 * Whether the group is past all that stood in the commit's partition when its time had come. Before that the commit's
 * message may yet be ahead: another one would be handled no sooner, and would make the way longer for all.
 */
function isPassed(entry: Watched, positions: readonly PartitionPosition[]): boolean {
  const { topic, partition } = entry.to;
  const position = positions.find((one) => one.topic === topic && one.partition === partition);
  if (!position) return false;
  entry.mark ??= position.end;
  // A topic that was made anew ends before the mark.
  return position.next >= Math.min(entry.mark, position.end);
}
