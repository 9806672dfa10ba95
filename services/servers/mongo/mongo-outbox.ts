import type { Db } from 'mongodb';
import { z } from 'zod';
import { storedEventSchema } from '../../contracts/events.ts';
import type { NamedCommit, Outbox } from '../../engine/feed/outbox.ts';
import { batchRequests } from '../../runtime/batch-requests.ts';

/** `maxBatchSize` limits how many commits one statement closes. */
const BATCHES = { maxBatchSize: 1_000, maxInFlight: 2 };

const commitSchema = z.object({ _id: z.string().min(1), events: z.array(storedEventSchema).min(1) });

export interface MongoOutboxOptions {
  readonly db: Db;
  /** Called for each commit that can't be parsed. Such commits are left out of the results. */
  readonly onUnreadable: (name: string, error: Error) => void;
}

/**
 * Finds open commits through the sparse index on `open`. Index entries with equal keys are in insertion order, so the
 * oldest commits come first.
 */
export function createMongoOutbox({ db, onUnreadable }: MongoOutboxOptions): Outbox {
  const commits = db.collection<{ _id: string; open?: true }>('commits');

  function parse(document: { _id: string }): NamedCommit[] {
    const parsed = commitSchema.safeParse(document);
    if (parsed.success) return [{ name: parsed.data._id, events: parsed.data.events }];
    onUnreadable(document._id, parsed.error);
    return [];
  }

  const close = batchRequests<string, 'closed'>({
    ...BATCHES,
    async send(names) {
      await commits.updateMany({ _id: { $in: [...names] } }, { $unset: { open: '' } });
      return names.map(() => 'closed');
    },
  });

  function findNamed(names: readonly string[]) {
    return commits.find({ _id: { $in: [...names] } }, { projection: { _id: 1, open: 1, events: 1 } }).toArray();
  }

  return {
    find: async (names) => (await findNamed(names)).flatMap(parse),
    async list(limit) {
      const found = await commits.find({ open: true }, { projection: { _id: 1 }, limit }).toArray();
      return found.map(({ _id }) => _id);
    },
    async read(names) {
      const found = await findNamed(names);
      return found.filter(({ open }) => open).flatMap(parse);
    },
    async close(names) {
      await Promise.all(names.map(close));
    },
  };
}
