import { expect, inject, it } from 'vitest';
import { createdSchema } from '../contracts/answers.ts';
import { freshStream, sampleCommit } from '../engine/log/sample-events.fixture.ts';
import { openMongo } from '../servers/mongo/mongo.ts';
import { createMongoEventLog } from '../servers/mongo/mongo-event-log.ts';
import { createMongoReadModels } from '../servers/mongo/mongo-read-models.ts';
import { shopDocuments } from '../shop/documents.ts';
import { LIGHT_ADMIN } from './light-shop.fixture.ts';
import { addProduct, call, inParallel, orderOf, signIn } from './shop-client.fixture.ts';
import { startShopOnServers } from './shop-on-servers.fixture.ts';

const STOPPED = 2_000;
const PATIENCE = { timeout: 60_000, interval: 20 };

it('FEED2 FEED3 an order whose Kafka messages are lost is projected within 5 s despite 2,000 streams that cannot be projected', {
  timeout: 120_000,
}, async () => {
  const shop = await startShopOnServers(inject('servers'), { api: 0, projector: 1, live: 0 }, { LOG_LEVEL: 'silent' });
  const mongo = await openMongo(shop.environment.MONGODB_URI);
  try {
    const log = await createMongoEventLog({ db: mongo.shop });
    const readModels = await createMongoReadModels({ db: mongo.shop, declarations: shopDocuments });
    const mute = await shop.start('api', { KAFKA_BROKERS: '127.0.0.1:9' });
    const productId = await addProduct(await signIn(mute.url, LIGHT_ADMIN));
    const shopper = await signIn(mute.url, 'rahim@shop.test');
    // None of these streams starts with the event that places an order, so none can be projected.
    await inParallel(STOPPED, 50, async () => void (await log.append(sampleCommit(freshStream(), 0))));

    const projector = shop.running.projector[0]?.url ?? '';
    const gauge = async (name: string) => {
      const { body } = await call(projector, 'GET', '/metrics');
      return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(String(body))?.[1]);
    };
    await expect.poll(() => gauge('shop_streams_stopped'), PATIENCE).toBe(STOPPED);
    // A commit is parked after it has been republished three times. Each stopped stream has one commit, so all of these
    // commits are parked once the gauge reaches three per stream.
    await expect.poll(() => gauge('shop_commits_republished'), PATIENCE).toBeGreaterThanOrEqual(3 * STOPPED);

    const { body } = await shopper.call('POST', '/orders', orderOf(shopper, productId));
    const appended = performance.now();
    const orderId = createdSchema.parse(body).insertedId;
    await expect.poll(() => readModels.get('order', orderId), PATIENCE).not.toBeNull();
    const seconds = (performance.now() - appended) / 1000;
    process.stdout.write(`${STOPPED} stopped streams: the lost order was projected after ${seconds.toFixed(1)} s\n`);
    expect(seconds).toBeLessThan(5);
    expect(await gauge('shop_streams_stopped')).toBe(STOPPED);
  } finally {
    await mongo.close();
    await shop.stop();
  }
});
