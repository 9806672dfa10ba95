import type { Db } from 'mongodb';
import { z } from 'zod';
import { storedEventSchema } from '../contracts/events.ts';
import type { NamedCommit, OpenCommits } from './open-commits.ts';

/** The most names of one statement: bounds its size. */
const NAMES_AT_ONCE = 1_000;

const commitSchema = z.object({ _id: z.string().min(1), events: z.array(storedEventSchema).min(1) });

export interface MongoOpenCommitsOptions {
  /** the database that the event log writes to */
  readonly db: Db;
  /** told of each open commit that cannot be read and so is not published */
  readonly onUnreadable: (name: string, error: Error) => void;
}

/**
 * Open commits in the collection `commits` that the event log writes. They are found by its sparse index on `open`, in
 * which equal entries stand in the order in which they came.
 */
export function createMongoOpenCommits({ db, onUnreadable }: MongoOpenCommitsOptions): OpenCommits {
  const commits = db.collection<{ _id: string; open?: true }>('commits');

  function parse(document: { _id: string }): NamedCommit[] {
    const parsed = commitSchema.safeParse(document);
    if (parsed.success) return [{ name: parsed.data._id, events: parsed.data.events }];
    onUnreadable(document._id, parsed.error);
    return [];
  }

  return {
    async list(limit) {
      const found = await commits.find({ open: true }, { projection: { _id: 1 }, limit }).toArray();
      return found.map(({ _id }) => _id);
    },
    async read(names) {
      const projection = { _id: 1, events: 1 };
      const found = await commits.find({ _id: { $in: [...names] }, open: true }, { projection }).toArray();
      return found.flatMap(parse);
    },
    async close(names) {
      for (let from = 0; from < names.length; from += NAMES_AT_ONCE) {
        const some = names.slice(from, from + NAMES_AT_ONCE);
        await commits.updateMany({ _id: { $in: some } }, { $unset: { open: '' } });
      }
    },
  };
}
