import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { metaOf } from '../engine/commands/embedded-log.fixture.ts';
import { LostLogError } from '../engine/log/lost-log.ts';
import { readConfig } from '../runtime/config.ts';
import { createLogger } from '../runtime/log.ts';
import { reviewDecider } from '../shop/review/review.ts';
import { type MongoDatabases, openMongo } from './mongo/mongo.ts';
import { openServersCore } from './servers-core.ts';
import { freshMongoUri } from './test-servers/mongo-database.fixture.ts';

const { mongoUrl } = inject('servers');

describe('opening the core of a shop that runs on servers', () => {
  let uri: string;
  let mongo: MongoDatabases;
  beforeEach(async () => {
    uri = freshMongoUri(mongoUrl);
    mongo = await openMongo(uri);
  });
  afterEach(async () => {
    await mongo.keys.dropDatabase();
    await mongo.shop.dropDatabase();
    await mongo.close();
  });

  function open() {
    const config = readConfig({
      MONGODB_URI: uri,
      KAFKA_BROKERS: '127.0.0.1:9',
      REDIS_URL: 'redis://127.0.0.1:9',
      DEMO: '1',
      STRIPE_SIMULATOR_URL: 'http://127.0.0.1:9',
      FIREBASE_AUTH_EMULATOR_HOST: '127.0.0.1:9',
      ACCESS_TOKEN_SECRET: 'x'.repeat(32),
    });
    if (!config.servers) throw new Error('No servers.');
    return openServersCore({ config, logger: createLogger('silent') });
  }

  it('LOG6 opening a shop fails with a one-line error if its key vault contains keys but its log is empty, and succeeds if both are new', async () => {
    const core = await open();
    const review = { userId: 'd'.repeat(32), name: 'Tower', ratings: 5, username: 'Rumi', description: 'Runs cool.' };
    await core.handler.execute(reviewDecider, 'e'.repeat(32), { type: 'PostReview', ...review }, metaOf('post:1'));
    await core.close();
    await (await open()).close();
    await mongo.shop.collection('commits').drop();
    await expect(open()).rejects.toThrow(LostLogError);
    await expect(open()).rejects.toThrow(
      /^The log in database \S+ is missing or empty, but keys of a shop stand beside/,
    );
  });
});
