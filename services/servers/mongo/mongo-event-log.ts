import type { Collection, Db } from 'mongodb';
import type { StoredEvent } from '../../contracts/events.ts';
import { commitName, streamNameSchema } from '../../contracts/ids.ts';
import {
  AppendOutcomeUnknown,
  type AppendResult,
  type Commit,
  closableAppends,
  type EventLog,
  InvalidCommit,
} from '../../engine/log/event-log.ts';
import { type CommitBatches, createCommitBatches } from './mongo-commit-batches.ts';
import { type CommitDocument, commitDocument, firstCommitsOf, openCommits, parseCommit } from './mongo-commits.ts';
import { type Boundaries, createBoundaries, createStreamReads, RANGE_BATCH } from './mongo-stream-reads.ts';

/**
 * Opens a database's event log. `onAppended` is called after every append, even if the same commit was appended before.
 * It must not throw. close() waits for pending appends, but doesn't close the database.
 */
export async function createMongoEventLog(options: {
  db: Db;
  onAppended?: ((commit: Commit) => void) | undefined;
}): Promise<EventLog> {
  const { db, onAppended } = options;
  const commits = await openCommits(db);
  const boundaries = createBoundaries();
  const batches = createCommitBatches(commits);
  const streams = createStreamReads(commits, boundaries, batches);
  const append = createAppend(commits, boundaries, batches, streams.head);
  const writes = closableAppends(async (commit, bodies) => {
    const result = await append(commit, bodies);
    if (result.kind === 'appended') onAppended?.(commit);
    return result;
  });
  return { ...streams, ...createLogReads(commits), ...writes };
}

/**
 * Returns the log's append function. No matter how many processes append to a stream, the stream remains a single chain
 * of commits without gaps.
 * A commit's name consists of its stream and first version, and the server rejects a name that is already taken. A
 * commit is inserted only at a boundary (a version at which a commit ends) that is known to be durable. Boundaries
 * never change. An append that expects an old boundary or an outdated head therefore causes a conflict, and two commits
 * never start at the same version.
 */
function createAppend(
  commits: Collection<CommitDocument>,
  boundaries: Boundaries,
  batches: Pick<CommitBatches, 'insert'>,
  head: EventLog['head'],
): (commit: Commit, bodies: readonly string[]) => Promise<AppendResult> {
  /**
   * Returns the id of the commit that is stored under this commit's name, or undefined if no durable commit has that
   * name.
   */
  async function idInPlaceOf({ stream, expectedVersion }: Commit): Promise<string | undefined> {
    const name = commitName(stream, expectedVersion + 1);
    return (await commits.findOne({ _id: name }, { projection: { commit: 1 } }))?.commit;
  }

  async function appendOnBoundary(commit: Commit, bodies: readonly string[]): Promise<AppendResult> {
    const { stream, expectedVersion, events } = commit;
    const appended: AppendResult = { kind: 'appended', version: expectedVersion + events.length };
    const highest = boundaries.highest(stream);
    const actualVersion = highest === expectedVersion ? highest : await head(stream);
    if (actualVersion === expectedVersion) {
      if ((await batches.insert(commitDocument(commit, bodies))) === 'inserted') {
        boundaries.learn(stream, appended.version);
        return appended;
      }
      const [newest, found] = await Promise.all([head(stream), idInPlaceOf(commit)]);
      // The stored commit may have been inserted by an earlier attempt to append this same commit. Until that insert is
      // durable, head() or idInPlaceOf() might not find the commit.
      if (newest <= expectedVersion || found === undefined) throw new Error('The stored commit is not durable yet.');
      return found === commit.id ? appended : { kind: 'conflict', actualVersion: newest };
    }
    if (actualVersion > expectedVersion && (await idInPlaceOf(commit)) === commit.id) return appended;
    return { kind: 'conflict', actualVersion };
  }

  return async (commit, bodies) => {
    try {
      return await appendOnBoundary(commit, bodies);
    } catch (error) {
      if (error instanceof InvalidCommit) throw error;
      // Even if only a read failed, the commit may be in the log, because this append may be a retry of an append that
      // succeeded.
      throw new AppendOutcomeUnknown(`Commit ${commit.id} may or may not be in the log.`, { cause: error });
    }
  };
}

function createLogReads(commits: Collection<CommitDocument>): Pick<EventLog, 'readAll' | 'streamsOf'> {
  return {
    async streamsOf(person) {
      const first = commits.find(firstCommitsOf(person), { projection: { stream: 1 } });
      return (await first.toArray()).map(({ stream }) => streamNameSchema.parse(stream));
    },
    async readAll(after, limit) {
      const [name = '', version = '0'] = after?.split('@') ?? [];
      const events: StoredEvent[] = [];
      let position = after;
      // Reads one commit more than the limit, because an earlier call may already have returned all events of the first
      // commit.
      const cursor = commits.find(
        { _id: { $gte: name } },
        { sort: { _id: 1 }, limit: limit + 1, batchSize: RANGE_BATCH },
      );
      for await (const document of cursor) {
        const commit = parseCommit(document);
        const read = commit._id === name ? Number(version) + 1 - commit.n : 0;
        const taken = commit.events.slice(read, read + limit - events.length);
        events.push(...taken);
        position = `${commit._id}@${commit.n + read + taken.length - 1}`;
        if (events.length === limit) break;
      }
      return { events, position };
    },
  };
}
