import { MongoNetworkError, MongoServerError } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { freePort } from '../test-servers/kafka-container.fixture.ts';
import { isMongoLost, MongoUnavailable, openMongo } from './mongo.ts';

describe('MongoDB connection', () => {
  it('openMongo() fails with a one-line error that contains no credentials if no MongoDB server responds', async () => {
    const port = await freePort();
    const opening = openMongo(`mongodb://shop:hushhush@127.0.0.1:${port}/shop`);
    await expect(opening).rejects.toThrow(MongoUnavailable);
    await expect(opening).rejects.toThrow(new RegExp(`^MongoDB at 127\\.0\\.0\\.1:${port} cannot be used: .*$`));
    await expect(opening).rejects.not.toThrow(/hushhush/);
  });

  it('openMongo() rejects an invalid connection string for the key database with an error that contains no credentials', async () => {
    const opening = openMongo('mongodb://127.0.0.1:1/shop', 'mongodb://keeper:hush:hush@127.0.0.1/keys');
    await expect(opening).rejects.toThrow(/^The connection string of MongoDB is not valid: .*$/);
    await expect(opening).rejects.not.toThrow(/hush/);
  });

  it('CMD7 errors from an unavailable MongoDB server are distinguished from errors caused by an invalid request', () => {
    expect(isMongoLost(new MongoNetworkError('cut'))).toBe(true);
    expect(isMongoLost(new MongoServerError({ message: 'not primary', code: 10_107 }))).toBe(true);
    expect(isMongoLost(new MongoServerError({ message: 'no disk', code: 14_031 }))).toBe(true);
    expect(isMongoLost(new MongoServerError({ message: 'taken', code: 11_000 }))).toBe(false);
    expect(isMongoLost(new Error('cut'))).toBe(false);
  });

  it('CMD7 openMongo() waits for a server only as long as the connection string specifies', async () => {
    const began = performance.now();
    const uri = `mongodb://127.0.0.1:${await freePort()}/shop?serverSelectionTimeoutMS=200`;
    await expect(openMongo(uri)).rejects.toThrow(MongoUnavailable);
    expect(performance.now() - began).toBeLessThan(2_500);
  });

  it.each(['redis://shop:hushhush@127.0.0.1', 'mongodb://', 'mongodb://shop:hush:hush@127.0.0.1/shop', ''])(
    'openMongo() rejects the invalid connection string %o with a one-line error that contains no credentials',
    async (uri) => {
      const opening = openMongo(uri);
      await expect(opening).rejects.toThrow(/^The connection string of MongoDB is not valid: .*$/);
      await expect(opening).rejects.not.toThrow(/hush/);
    },
  );
});
