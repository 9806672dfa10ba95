import { randomBytes } from 'node:crypto';
import type { Collection, Db } from 'mongodb';
import { type ArchivedSecrets, archivedSecretsSchema } from '../../engine/log/log-archive.ts';
import { ReadableError } from '../../runtime/readable-error.ts';
import { isDuplicateKey } from './mongo.ts';

const SECRET_BYTES = 32;
const SHOP = 'shop';

export type KeptSecrets = ArchivedSecrets;

/** Thrown if a shop's secrets are lost or damaged, or if they belong to another shop. */
export class KeptSecretsError extends ReadableError {
  override readonly name = 'KeptSecretsError';
}

/**
 * Loads a shop's secrets. If none are stored yet, stores the `given` secrets of an imported shop, or else new secrets.
 * @throws KeptSecretsError if the secrets are lost, damaged or different from the given ones
 */
export async function loadKeptSecrets(options: {
  db: Db;
  shop: Db;
  random?: (bytes: number) => Buffer;
  given?: KeptSecrets | undefined;
}): Promise<KeptSecrets> {
  const { db, shop, random = randomBytes, given } = options;
  const secrets = db.collection<KeptSecrets & { _id: string }>('secrets');
  // Look for keys and commits before reading the secrets. A shop stores its secrets before its first key or event, so
  // if a key or event is found here, the read that follows must find the secrets.
  const inUse = (await holdsAny(db.collection('keys'))) || (await holdsAny(shop.collection('commits')));
  let kept = await secrets.findOne({ _id: SHOP });
  if (!kept) {
    // If new secrets were created now, every user would get a new id, and every retried order would look like a new
    // order.
    if (inUse && !given) {
      throw new KeptSecretsError(
        `The secrets of a shop that was in use are missing in database ${db.databaseName}: restore it along with the log.`,
      );
    }
    await keep(secrets, given ?? makeSecrets(random));
    kept = await secrets.findOne({ _id: SHOP });
  }
  return checked(db, kept, given);
}

async function holdsAny(collection: Collection): Promise<boolean> {
  return (await collection.findOne({}, { projection: { _id: 1 } })) !== null;
}

function makeSecrets(random: (bytes: number) => Buffer): KeptSecrets {
  const secret = () => random(SECRET_BYTES).toString('hex');
  return { userId: secret(), idempotency: secret() };
}

/** Stores these secrets, unless another process that is starting at the same time has already stored its own. */
async function keep(
  secrets: Collection<KeptSecrets & { _id: string }>,
  { userId, idempotency }: KeptSecrets,
): Promise<void> {
  try {
    await secrets.insertOne({ _id: SHOP, userId, idempotency });
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
}

function checked({ databaseName }: Db, kept: unknown, given: KeptSecrets | undefined): KeptSecrets {
  if (kept === null) throw new Error('The secrets that another process created are not durable yet.');
  const parsed = archivedSecretsSchema.safeParse(kept);
  if (!parsed.success) {
    throw new KeptSecretsError(`The secrets in database ${databaseName} are damaged: restore them from a backup.`);
  }
  const { userId, idempotency } = parsed.data;
  if (given && (given.userId !== userId || given.idempotency !== idempotency)) {
    throw new KeptSecretsError(`Database ${databaseName} holds the secrets of another shop: use an empty database.`);
  }
  return { userId, idempotency };
}
