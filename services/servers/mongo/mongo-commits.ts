import type { Collection, Db, Filter } from 'mongodb';
import { z } from 'zod';
import type { StoredEvent } from '../../contracts/events.ts';
import { commitName, documentOf, type StreamName, streamNameSchema } from '../../contracts/ids.ts';
import type { Commit } from '../../engine/log/event-log.ts';

/** A stored commit. It never changes, except that `open` is removed once its events have been projected. */
export interface CommitDocument {
  /**
   * The result of `commitName(stream, n)`. Ids are unique, so two commits can't start at the same version of a stream.
   */
  readonly _id: string;
  readonly stream: StreamName;
  readonly n: number;
  readonly last: number;
  readonly commit: string;
  readonly causes: readonly string[];
  readonly events: readonly StoredEvent[];
  readonly open?: true;
}

export class UnreadableCommit extends Error {
  override readonly name = 'UnreadableCommit';
}

/** The MongoDB path of the field `person` in a commit's first event. */
const PERSON = 'events.0.data.person';

/** Matches a stream's first commit if that commit's first event names this person. */
export function firstCommitsOf(person: string): Filter<CommitDocument> {
  return { n: 1, [PERSON]: person };
}

/** Opens the `commits` collection and creates any missing indexes. */
export async function openCommits(db: Db): Promise<Collection<CommitDocument>> {
  const commits = db.collection<CommitDocument>('commits');
  await commits.createIndexes([
    { name: 'stream_causes', key: { stream: 1, causes: 1 } },
    { name: 'open', key: { open: 1 }, sparse: true },
    { name: 'person', key: { [PERSON]: 1 }, sparse: true },
  ]);
  return commits;
}

/** `bodies` contains each event as JSON. Stored events are parsed from `bodies`, so they contain only JSON values. */
export function commitDocument(commit: Commit, bodies: readonly string[]): CommitDocument {
  const { id, stream, expectedVersion, events } = commit;
  const n = expectedVersion + 1;
  return {
    _id: commitName(stream, n),
    stream,
    n,
    last: expectedVersion + events.length,
    commit: id,
    causes: [...new Set(events.map(({ cause }) => cause))],
    events: bodies.map((body) => JSON.parse(body) as StoredEvent),
    // Only streams that have a document are projected, so an open commit of any other stream would never be closed.
    ...(documentOf(stream) && { open: true }),
  };
}

const version = z.number().int().positive();

const extentSchema = z.object({ n: version, last: version });
export type CommitExtent = z.infer<typeof extentSchema>;
export const EXTENT_FIELDS = { n: 1, last: 1 } as const;

/** Doesn't check the fields of the events, because the events are parsed later, when they are unsealed (sealing.ts). */
const commitSchema = z
  .object({
    _id: z.string(),
    stream: streamNameSchema,
    ...extentSchema.shape,
    events: z.array(z.custom<StoredEvent>((event) => typeof event === 'object' && event !== null)),
  })
  .refine(({ n, last, events }) => events.length === last - n + 1);
export type ReadCommit = z.infer<typeof commitSchema>;

/** @throws UnreadableCommit */
export function parseCommit(document: unknown): ReadCommit {
  return parseWith(commitSchema, document);
}

/** @throws UnreadableCommit */
export function parseExtent(document: unknown): CommitExtent {
  return parseWith(extentSchema, document);
}

function parseWith<T>(schema: z.ZodType<T>, document: unknown): T {
  const parsed = schema.safeParse(document);
  if (parsed.success) return parsed.data;
  const { _id: name } = document as { _id?: unknown };
  throw new UnreadableCommit(`Commit ${String(name)} is not readable.`, { cause: parsed.error });
}
