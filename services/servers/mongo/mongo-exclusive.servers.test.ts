import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { exclusiveContract } from '../../http/exclusive/exclusive.contract.ts';
import { ExclusiveUnavailable } from '../../http/exclusive/exclusive.ts';
import { freshMongoUri } from '../test-servers/mongo-database.fixture.ts';
import { startTcpProxy } from '../test-servers/tcp-proxy.fixture.ts';
import { type MongoDatabases, openMongo } from './mongo.ts';
import { createMongoExclusive, type MongoExclusiveSettings } from './mongo-exclusive.ts';
import type { Lease } from './mongo-lease.ts';

const { mongoUrl } = inject('servers');
const NAME = 'revoke-admin';

exclusiveContract('MongoDB', async () => {
  const uri = freshMongoUri(mongoUrl);
  const mongos = await Promise.all([openMongo(uri), openMongo(uri)]);
  const [one, other] = mongos.map(({ shop }) =>
    createMongoExclusive({
      db: shop,
      newId: randomUUID,
      onError: (error) => {
        throw error;
      },
    }),
  );
  if (!one || !other) throw new Error('Two connections make two.');
  return {
    one,
    other,
    async dispose() {
      await Promise.all([one.close(), other.close()]);
      await mongos[0].shop.dropDatabase();
      for (const mongo of mongos) await mongo.close();
    },
  };
});

describe('MongoDB exclusive', () => {
  let uri: string;
  let mongo: MongoDatabases;
  let now: number;
  let told: unknown[];
  beforeEach(async () => {
    uri = freshMongoUri(mongoUrl);
    mongo = await openMongo(uri);
    now = 0;
    told = [];
  });
  afterEach(async () => {
    await mongo.shop.dropDatabase();
    await mongo.close();
  });

  /** Whoever waits makes the time pass; nobody shows that they live unless a test says so. */
  const open = (changes: Partial<MongoExclusiveSettings> = {}) =>
    createMongoExclusive({
      db: mongo.shop,
      now: () => now,
      newId: randomUUID,
      onError: (error) => told.push(error),
      every: () => () => {},
      wait: async (milliseconds) => {
        now += milliseconds;
      },
      leaseMs: 10_000,
      patienceMs: 15_000,
      ...changes,
    });
  const leases = () => mongo.shop.collection<Lease>('leases');

  it('C5 a holder who died keeps others out for the length of a lease, and no longer', async () => {
    await leases().insertOne({ _id: NAME, holder: 'died', beat: 3 });
    expect(await open().run(NAME, async () => now)).toSatisfy((at: number) => at >= 10_000 && at < 10_500);
    expect(await leases().countDocuments()).toBe(0);
    expect(told).toEqual([]);
  });

  it('C5 a holder who lives is not taken over, however long the work: who waits gives up, with nothing begun', async () => {
    let beatAt = Number.POSITIVE_INFINITY;
    let beat = () => {};
    const long = open({
      every: (milliseconds, callback) => {
        beatAt = now + milliseconds;
        beat = () => {
          beatAt += milliseconds;
          callback();
        };
        return () => {};
      },
    });
    const waiting = open({
      wait: async (milliseconds) => {
        now += milliseconds;
        while (now >= beatAt) beat();
      },
      patienceMs: 60_000,
    });
    let begun = false;
    await long.run(NAME, async () => {
      const second = waiting.run(NAME, async () => {
        begun = true;
      });
      await expect(second).rejects.toThrow(ExclusiveUnavailable);
    });
    expect({ begun, told }).toEqual({ begun: false, told: [] });
    expect(now).toBeGreaterThanOrEqual(60_000);
    expect(now).toBeLessThan(60_500);
    expect(await waiting.run(NAME, async () => 'let in')).toBe('let in');
  });

  it('C5 a process that stood still is told that it was taken over, and does not let go of the lease of another', async () => {
    const [still, next] = [open(), open()];
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const first = still.run(NAME, () => ended.then(() => 'late'));
    await expect.poll(() => leases().countDocuments()).toBe(1);
    await next.run(NAME, async () => {
      end();
      expect(await first).toBe('late');
      expect(told).toMatchObject([{ message: expect.stringContaining('taken over') }]);
      expect(await leases().countDocuments()).toBe(1);
    });
    expect(told).toHaveLength(1);
    expect(await leases().countDocuments()).toBe(0);
  });

  it('C5 where the answer about the lease is lost, nothing is begun', async () => {
    const proxy = await startTcpProxy(Number(new URL(mongoUrl).port));
    const { shop, close } = await openMongo(uri.replace(new URL(mongoUrl).host, `127.0.0.1:${proxy.port}`));
    let begun = false;
    proxy.holdAnswers();
    const refused = open({ db: shop })
      .run(NAME, async () => {
        begun = true;
      })
      .catch((error: unknown) => error);
    await expect.poll(() => leases().countDocuments()).toBe(1);
    proxy.cut();
    expect(await refused).toBeInstanceOf(ExclusiveUnavailable);
    expect(begun).toBe(false);
    await close();
    await proxy.close();
  });

  it('C5 a lease that this version cannot read lets nobody in', async () => {
    await leases().insertOne({ _id: NAME, until: 'tomorrow' } as never);
    await expect(open().run(NAME, async () => 'done')).rejects.toThrow(ExclusiveUnavailable);
  });

  it('C5 what fails beside the work is told, and the work is answered', async () => {
    const proxy = await startTcpProxy(Number(new URL(mongoUrl).port));
    const { shop, close } = await openMongo(uri.replace(new URL(mongoUrl).host, `127.0.0.1:${proxy.port}`));
    const answer = await open({ db: shop }).run(NAME, async () => {
      await proxy.refuse();
      return 'done';
    });
    expect(answer).toBe('done');
    expect(told).toHaveLength(1);
    await close();
  });

  it('C5 who waits for another process gives up once closed', async () => {
    let tries = 0;
    const wait = async () => {
      tries += 1;
      await new Promise((resolve) => setImmediate(resolve));
    };
    const [holding, waiting] = [open(), open({ wait })];
    await holding.run(NAME, async () => {
      const second = waiting.run(NAME, async () => 'done').catch((error: unknown) => error);
      await expect.poll(() => tries).toBeGreaterThan(1);
      await waiting.close();
      expect(await second).toBeInstanceOf(ExclusiveUnavailable);
    });
  });

  it('M7 C5 a clock on the wall that steps by a minute takes no living holder for dead', async () => {
    let polls = 0;
    let polled = () => {};
    const often = new Promise<void>((resolve) => {
      polled = resolve;
    });
    const wait = async () => {
      polls += 1;
      if (polls === 3) vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 60_000);
      if (polls === 10) polled();
      await new Promise(setImmediate);
    };
    const settings = { db: mongo.shop, newId: randomUUID, onError: (error: unknown) => told.push(error), wait };
    const [one, other] = [createMongoExclusive(settings), createMongoExclusive({ ...settings, patienceMs: 120_000 })];
    let end = () => {};
    const held = new Promise<void>((resolve) => {
      end = resolve;
    });
    const done: string[] = [];
    const holding = one.run(NAME, () => held.then(() => done.push('one')));
    await expect.poll(() => leases().countDocuments()).toBe(1);
    const waiting = other.run(NAME, async () => done.push('other'));
    await often;
    vi.restoreAllMocks();
    end();
    await Promise.all([holding, waiting]);
    expect({ done, told }).toEqual({ done: ['one', 'other'], told: [] });
  });
});
