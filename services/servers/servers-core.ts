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
import { shopDocuments } from '../shop/documents.ts';
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
  'find',
  'findIds',
  'page',
  'versionOf',
  'count',
  'countUpTo',
  'countByValue',
  'sum',
] as const;

/** Connects to MongoDB and creates missing indexes. @throws MongoUnavailable, LostLogError, KeptSecretsError */
export async function openServersCore(settings: ServersCoreSettings): Promise<ServersCore> {
  const { mongoUri, mongoKeysUri } = settings.config.servers;
  const mongo = await openMongo(mongoUri, mongoKeysUri);
  try {
    const stores = await openStores(mongo, settings);
    return buildCore(stores, settings);
  } catch (error) {
    await mongo.close();
    throw error;
  }
}

async function openStores(mongo: MongoDatabases, { givenSecrets, onCommit, timeoutMs }: ServersCoreSettings) {
  const guard = { isLost: isMongoLost, timeoutMs };
  const vault = guardStore(createMongoKeyVault({ db: mongo.keys }), guard, KEY_READS);
  const log = guardStore(await createMongoEventLog({ db: mongo.shop, onAppended: onCommit }), guard, LOG_READS);
  const readModels = guardStore(
    await createMongoReadModels({ db: mongo.shop, declarations: shopDocuments }),
    guard,
    DOCUMENT_READS,
  );
  // An import skips assertLogIsThere(), because it writes keys before events. If an import is interrupted and then
  // repeated, there may be keys but no events yet.
  if (!givenSecrets) await assertLogIsThere({ log, vault, readModels }, `database ${mongo.shop.databaseName}`);
  const kept = await loadKeptSecrets({ db: mongo.keys, shop: mongo.shop, given: givenSecrets });
  const snapshots = guardStore(createMongoSnapshots({ db: mongo.shop }), guard, ['find']);
  // wipe() has nothing to do, because MongoDB's journal and oplog roll over on their own.
  return { mongo, log, vault, readModels, kept, snapshots, async wipe() {} };
}

function buildCore(stores: Awaited<ReturnType<typeof openStores>>, settings: ServersCoreSettings): ServersCore {
  const { mongo, kept, snapshots, ...coreStores } = stores;
  const { config, logger, onAppended, timeoutMs } = settings;
  const core = createShopCore(
    { ...coreStores, projection: shopProjection },
    { snapshots, logger, appendTimeoutMs: timeoutMs, onAppended },
  );
  return {
    ...core,
    mongo,
    snapshots,
    secrets: secretsOf(config, kept),
    async close() {
      await core.handler.idle();
      await core.log.close();
      await mongo.close();
    },
  };
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
