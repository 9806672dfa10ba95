import type { Collection } from 'mongodb';
import type { StoredEvent } from '../../contracts/events.ts';
import { commitName, type StreamName } from '../../contracts/ids.ts';
import type { EventLog } from '../../engine/log/event-log.ts';
import { createLruCache } from '../../runtime/lru-cache.ts';
import type { CommitBatches } from './mongo-commit-batches.ts';
import {
  type CommitDocument,
  type CommitExtent,
  EXTENT_FIELDS,
  parseCommit,
  parseExtent,
  type ReadCommit,
} from './mongo-commits.ts';

/**
 * Commits are looked up by name in up to two rounds. These are the numbers of versions that the two rounds cover. Any
 * commits after these versions are read as a range. Look-ups for many streams share one `$in` query, whereas each range
 * needs a query of its own. With look-ups, the API sends 2.7 statements per order instead of 11.2. The rounds cover few
 * versions, because they usually find few commits, and the server searches its index once for each name.
 */
const LOOKUPS = [6, 20];
/** The number of commits per batch of a range read. Most commits are about 1 KB, and a reply is at most 16 MB. */
export const RANGE_BATCH = 100;

/**
 * If a stream's highest known boundary is at most this version, `findByCauses` reads the whole stream. The look-ups
 * cover two more versions than that, because another process may have appended events since that boundary became known.
 */
const SHORT = 24;
/**
 * A read that starts below this version reads the stream from its beginning, without searching for the last boundary.
 */
const FOLLOWED_FROM_START = 16;

const LAST_VERSION = 999_999_999_999;
const STREAMS_REMEMBERED = 50_000;

/**
 * Remembers the highest known boundary of each stream. If none is known, the boundary is 0. A boundary is a version at
 * which a commit ends. It stays a boundary forever, because commits are never changed or removed.
 */
export interface Boundaries {
  highest(stream: StreamName): number;
  learn(stream: StreamName, boundary: number): void;
}

export function createBoundaries(): Boundaries {
  const cache = createLruCache<StreamName, number>(STREAMS_REMEMBERED);
  const highest = (stream: StreamName) => cache.get(stream) ?? 0;
  return {
    highest,
    learn(stream, boundary) {
      if (boundary > highest(stream)) cache.set(stream, boundary);
    },
  };
}

/**
 * Reads streams from their commits. A commit's name contains the version of its first event. The version at which a
 * commit ends (a boundary) therefore determines the name of the next commit. For example, the commit after boundary 3
 * is named 4, and if it contains versions 4 to 6, the next commit is named 7.
 * To find the commits after a boundary, all names that they may have are looked up. Usually, no commits are found. A
 * range is read only if there are more commits than the look-ups cover.
 */
export function createStreamReads(
  commits: Collection<CommitDocument>,
  boundaries: Boundaries,
  batches: Pick<CommitBatches, 'find'>,
): Pick<EventLog, 'readStream' | 'head' | 'findByCauses'> {
  /**
   * Looks up the commits after a boundary by their possible names. `versions` is the number of versions to cover. `end`
   * is the version at which the last commit found ends, or the boundary if no commit was found. `ended` is true if no
   * commit follows `end`.
   */
  async function lookUp(
    stream: StreamName,
    boundary: number,
    versions: number,
  ): Promise<{ chain: ReadCommit[]; end: number; ended: boolean }> {
    const names = Array.from({ length: versions }, (_, index) => commitName(stream, boundary + 1 + index));
    const found = new Map((await batches.find(names)).map(parseCommit).map((commit) => [commit.n, commit]));
    const chain: ReadCommit[] = [];
    let end = boundary;
    for (let next = found.get(end + 1); next; next = found.get(end + 1)) {
      chain.push(next);
      end = next.last;
    }
    if (chain.length > 0) boundaries.learn(stream, end);
    return { chain, end, ended: end < boundary + versions };
  }

  /** Finds the last commit whose first version is between `from` and `to`, inclusive. */
  async function lastBeginning(stream: StreamName, from: number, to: number): Promise<CommitExtent | null> {
    const range = { $gte: commitName(stream, from), $lte: commitName(stream, to) };
    const last = await commits.findOne({ _id: range }, { projection: EXTENT_FIELDS, sort: { _id: -1 } });
    return last && parseExtent(last);
  }

  async function head(stream: StreamName): Promise<number> {
    let boundary = boundaries.highest(stream);
    for (const versions of LOOKUPS) {
      const { end, ended } = await lookUp(stream, boundary, versions);
      if (ended) return end;
      boundary = end;
    }
    const last = await lastBeginning(stream, boundary + 1, LAST_VERSION);
    if (last) boundaries.learn(stream, last.last);
    return last?.last ?? boundary;
  }

  /** Returns the highest boundary at or below a version, or 0 if the version is near the start of the stream. */
  async function boundaryBefore(stream: StreamName, version: number): Promise<number> {
    if (version < FOLLOWED_FROM_START) return 0;
    // A commit that begins right after the version proves that the version is a boundary.
    const commit = await lastBeginning(stream, 1, version + 1);
    if (!commit) return 0;
    return commit.last <= version ? commit.last : commit.n - 1;
  }

  /** Yields the commits after the boundary `from`, or none if `from` lies inside a commit. */
  async function* follow(stream: StreamName, from: number): AsyncGenerator<ReadCommit> {
    let boundary = from;
    for (const versions of LOOKUPS) {
      const { chain, end, ended } = await lookUp(stream, boundary, versions);
      yield* chain;
      if (ended) return;
      boundary = end;
    }
    const range = { $gte: commitName(stream, boundary + 1), $lte: commitName(stream, LAST_VERSION) };
    for await (const document of commits.find({ _id: range }).sort({ _id: 1 }).batchSize(RANGE_BATCH)) {
      const commit = parseCommit(document);
      boundaries.learn(stream, commit.last);
      yield commit;
    }
  }

  /**
   * Yields, in order, the commits that contain events after a version. May first yield earlier commits, whose events
   * `readStream` drops.
   * The version is usually a boundary (a version at which a commit ends), so the commits right after it are read first.
   * If there are none, either the stream ends at this version or the version lies inside a commit. Unless the version
   * is known to be a boundary, the stream is then read from the last boundary before the version.
   */
  async function* commitsAfter(stream: StreamName, version: number): AsyncGenerator<ReadCommit> {
    let provenBoundary = version === boundaries.highest(stream);
    for await (const commit of follow(stream, version)) {
      provenBoundary = true;
      yield commit;
    }
    if (!provenBoundary) yield* follow(stream, await boundaryBefore(stream, version));
  }

  async function commitsOfCauses(stream: StreamName, causes: readonly string[]): Promise<ReadCommit[]> {
    const known = boundaries.highest(stream);
    const isShort = known > 0 && known <= SHORT;
    if (!isShort) {
      const found = commits.find({ stream, causes: { $in: [...causes] } }).sort({ n: 1 });
      return (await found.toArray()).map(parseCommit);
    }
    const whole: ReadCommit[] = [];
    for await (const commit of follow(stream, 0)) whole.push(commit);
    return whole;
  }

  return {
    head,
    async findByCauses(stream, causes) {
      const wanted = new Set(causes);
      const found = await commitsOfCauses(stream, causes);
      return found.flatMap(({ events }) => events.filter(({ cause }) => wanted.has(cause)));
    },
    async readStream(stream, afterVersion, limit) {
      const events: StoredEvent[] = [];
      for await (const commit of commitsAfter(stream, afterVersion)) {
        events.push(...commit.events.slice(Math.max(0, afterVersion + 1 - commit.n)));
        if (events.length >= limit) break;
      }
      return events.slice(0, limit);
    },
  };
}
