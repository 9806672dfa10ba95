import type { StreamName } from '../contracts/ids.ts';
import type { Commit } from '../engine/log/event-log.ts';
import { assertLogIsThere } from '../engine/log/lost-log.ts';
import type { Snapshots } from '../engine/log/snapshots.ts';
import { createShopCore, type ShopCore } from '../engine/shop-core.ts';
import { demoStripeKeys } from '../process/demo-stripe-keys.ts';
import type { ServersConfig } from '../runtime/config.ts';
import type { Secrets } from '../runtime/data-dir.ts';
import type { Logger } from '../runtime/log.ts';
import { guardStore } from '../runtime/store-unavailable.ts';
import { shopProjection } from '../shop/projection.ts';
import { isMongoLost, type MongoDatabases, openMongo } from './mongo/mongo.ts';
import { createMongoEventLog } from './mongo/mongo-event-log.ts';
import { type KeptSecrets, loadKeptSecrets } from './mongo/mongo-kept-secrets.ts';
import { createMongoKeyVault } from './mongo/mongo-key-vault.ts';
import { createMongoReadModels } from './mongo/mongo-read-models.ts';
import { createMongoSnapshots } from './mongo/mongo-snapshots.ts';

export interface ServersCore extends ShopCore {
  readonly mongo: MongoDatabases;
  readonly snapshots: Snapshots;
  readonly secrets: Secrets;
  close(): Promise<void>;
}

export interface ServersCoreSettings {
  readonly config: ServersConfig;
  readonly logger: Logger;
  /** the imported shop's secrets, which are stored if the database doesn't contain any yet */
  readonly givenSecrets?: KeptSecrets;
  readonly onCommit?: (commit: Commit) => void;
  /** called after each append, with the stream and its new version (READ1) */
  readonly onAppended?: (stream: StreamName, version: number) => void;
  /** How long a request may wait for MongoDB, in ms. Absent if the process serves no requests (CMD7). */
  readonly timeoutMs?: number;
}

export const LOG_READS = ['readStream', 'head', 'findByCauses', 'streamsOf'] as const;
export const KEY_READS = ['obtain', 'find'] as const;
export const DOCUMENT_READS = [
  'get',
  'getMany',
  'productsNamed',
  'adminIds',
  'listOrders',
  'listProducts',
  'listUsers',
  'listReviews',
  'versionOf',
  'countOrders',
  'ordersPlacedBetween',
  'totalPaidSince',
  'countLowStock',
] as const;

/** Connects to MongoDB and creates missing indexes. @throws MongoUnavailable, LostLogError, KeptSecretsError */
export async function openServersCore(settings: ServersCoreSettings): Promise<ServersCore> {
  const { config, logger, givenSecrets, onCommit, onAppended, timeoutMs } = settings;
  const mongo = await openMongo(config.servers.mongoUri, config.servers.mongoKeysUri);
  try {
    const guard = { isLost: isMongoLost, timeoutMs };
    const vault = guardStore(createMongoKeyVault({ db: mongo.keys }), guard, KEY_READS);
    const mongoLog = await createMongoEventLog({ db: mongo.shop, onAppended: onCommit });
    const log = guardStore(mongoLog, guard, LOG_READS);
    const readModels = guardStore(await createMongoReadModels({ db: mongo.shop }), guard, DOCUMENT_READS);
    // An import skips assertLogIsThere(), because it writes keys before events. If an import is interrupted and then
    // repeated, there may be keys but no events yet.
    if (!givenSecrets) await assertLogIsThere({ log, vault, readModels }, `database ${mongo.shop.databaseName}`);
    const kept = await loadKeptSecrets({ db: mongo.keys, shop: mongo.shop, given: givenSecrets });
    const snapshots = guardStore(createMongoSnapshots({ db: mongo.shop }), guard, ['find']);
    // wipe() has nothing to do, because MongoDB's journal and oplog roll over on their own.
    const stores = { log, vault, readModels, projection: shopProjection, async wipe() {} };
    const core = createShopCore(stores, { snapshots, logger, appendTimeoutMs: timeoutMs, onAppended });
    return {
      ...core,
      mongo,
      snapshots,
      secrets: secretsOf(config, kept),
      async close() {
        await core.handler.idle();
        await log.close();
        await mongo.close();
      },
    };
  } catch (error) {
    await mongo.close();
    throw error;
  }
}

function secretsOf({ accessTokenSecret }: ServersConfig, kept: KeptSecrets): Secrets {
  const demo = demoStripeKeys(accessTokenSecret);
  return {
    ...kept,
    accessToken: accessTokenSecret,
    stripeSecretKey: demo.secretKey,
    stripePublishableKey: demo.publishableKey,
    stripeWebhookSecret: demo.webhookSecret,
  };
}
