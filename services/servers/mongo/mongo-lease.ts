import { type Db, MongoServerError } from 'mongodb';
import { z } from 'zod';

/** Who holds a name, and a number that grows for as long as they live. */
const leaseSchema = z.object({ _id: z.string(), holder: z.string(), beat: z.number().int() });
export type Lease = z.infer<typeof leaseSchema>;

const DUPLICATE_KEY = 11000;

/** One document per name that is held; each change is made only where the lease still is what its maker takes it for. */
export interface Leases {
  /** Takes a name that nobody holds; false where somebody does. */
  take(name: string, holder: string): Promise<boolean>;
  /** Null where nobody holds the name. */
  read(name: string): Promise<Lease | null>;
  /** Takes the name from a holder who is taken for dead; false where they have shown themselves since. */
  takeOver(lease: Lease, holder: string): Promise<boolean>;
  /** Shows that the holder lives. */
  renew(name: string, holder: string): Promise<void>;
  /** Lets go of a name; false where another has taken it over. */
  release(name: string, holder: string): Promise<boolean>;
}

export function mongoLeases(db: Db): Leases {
  const leases = db.collection<Lease>('leases');
  return {
    async take(name, holder) {
      try {
        await leases.insertOne({ _id: name, holder, beat: 0 });
        return true;
      } catch (error) {
        if (error instanceof MongoServerError && error.code === DUPLICATE_KEY) return false;
        throw error;
      }
    },
    async read(name) {
      const lease = await leases.findOne({ _id: name });
      return lease && leaseSchema.parse(lease);
    },
    async takeOver({ _id, holder, beat }, successor) {
      const { matchedCount } = await leases.updateOne({ _id, holder, beat }, { $set: { holder: successor, beat: 0 } });
      return matchedCount === 1;
    },
    async renew(name, holder) {
      await leases.updateOne({ _id: name, holder }, { $inc: { beat: 1 } });
    },
    async release(name, holder) {
      const { deletedCount } = await leases.deleteOne({ _id: name, holder });
      return deletedCount === 1;
    },
  };
}
