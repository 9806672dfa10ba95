import { describe, expect, it } from 'vitest';
import { freePort } from '../test-servers/kafka-container.fixture.ts';
import { MongoUnavailable, openMongo } from './mongo.ts';

describe('MongoDB connection', () => {
  it('says in one line that nobody answers, without the credentials', async () => {
    const port = await freePort();
    const opening = openMongo(`mongodb://shop:hushhush@127.0.0.1:${port}/shop`);
    await expect(opening).rejects.toThrow(MongoUnavailable);
    await expect(opening).rejects.toThrow(new RegExp(`^MongoDB at 127\\.0\\.0\\.1:${port} cannot be used: .*$`));
    await expect(opening).rejects.not.toThrow(/hushhush/);
  });

  it('M2 says of the deployment of the keys too that it is not valid, without the credentials', async () => {
    const opening = openMongo('mongodb://127.0.0.1:1/shop', 'mongodb://keeper:hush:hush@127.0.0.1/keys');
    await expect(opening).rejects.toThrow(/^The connection string of MongoDB is not valid: .*$/);
    await expect(opening).rejects.not.toThrow(/hush/);
  });

  it('M4 CMD7 looks for a server for as long as the connection string says', async () => {
    const began = performance.now();
    const uri = `mongodb://127.0.0.1:${await freePort()}/shop?serverSelectionTimeoutMS=200`;
    await expect(openMongo(uri)).rejects.toThrow(MongoUnavailable);
    expect(performance.now() - began).toBeLessThan(2_500);
  });

  it.each(['redis://shop:hushhush@127.0.0.1', 'mongodb://', 'mongodb://shop:hush:hush@127.0.0.1/shop', ''])(
    'says in one line that %o names no MongoDB, without the credentials',
    async (uri) => {
      const opening = openMongo(uri);
      await expect(opening).rejects.toThrow(/^The connection string of MongoDB is not valid: .*$/);
      await expect(opening).rejects.not.toThrow(/hush/);
    },
  );
});
