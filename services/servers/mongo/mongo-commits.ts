import type { Collection, Db } from 'mongodb';
import { z } from 'zod';
import type { StoredEvent } from '../../contracts/events.ts';
import { commitName, documentOf, type StreamName, streamNameSchema } from '../../contracts/ids.ts';
import type { Commit } from '../../engine/log/event-log.ts';

/** A commit as the collection `commits` keeps it. It never changes, but for `open`, which goes once all that follows is done. */
export interface CommitDocument {
  /** commitName(stream, n): of two commits at one version of a stream, the second is refused */
  readonly _id: string;
  readonly stream: StreamName;
  readonly n: number;
  readonly last: number;
  readonly commit: string;
  readonly causes: readonly string[];
  readonly events: readonly StoredEvent[];
  readonly open?: true;
}

/** A document of `commits` that no version of this program has written so. */
export class UnreadableCommit extends Error {
  override readonly name = 'UnreadableCommit';
}

/** The commits of a shop's database, with the indexes that they are searched by. */
export async function openCommits(db: Db): Promise<Collection<CommitDocument>> {
  const commits = db.collection<CommitDocument>('commits');
  await commits.createIndexes([
    { name: 'stream_causes', key: { stream: 1, causes: 1 } },
    { name: 'open', key: { open: 1 }, sparse: true },
  ]);
  return commits;
}

/** `bodies` are the events as JSON: what they say is kept and nothing else, as where a log keeps the text itself. */
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
    // Where nothing follows from a commit there is nobody to close it.
    ...(documentOf(stream) && { open: true }),
  };
}

const version = z.number().int().positive();

const extentSchema = z.object({ n: version, last: version });
export type CommitExtent = z.infer<typeof extentSchema>;
export const EXTENT_FIELDS = { n: 1, last: 1 } as const;

/** Its events are parsed one by one where they are opened (sealing.ts). */
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
