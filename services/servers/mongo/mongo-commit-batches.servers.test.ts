import type { Collection } from 'mongodb';
import { afterEach, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { InvalidCommit } from '../../engine/log/event-log.ts';
import { freshStream, sampleCommit } from '../../engine/log/sample-events.fixture.ts';
import { openFreshMongo } from '../test-servers/mongo-database.fixture.ts';
import type { MongoDatabases } from './mongo.ts';
import { type CommitBatches, createCommitBatches } from './mongo-commit-batches.ts';
import { type CommitDocument, commitDocument, openCommits } from './mongo-commits.ts';

const { mongoUrl } = inject('servers');

describe('batched inserts of commits into MongoDB', () => {
  let mongo: MongoDatabases;
  let commits: Collection<CommitDocument>;
  let batches: CommitBatches;
  beforeEach(async () => {
    mongo = await openFreshMongo(mongoUrl);
    commits = await openCommits(mongo.shop);
    batches = createCommitBatches(commits);
  });
  afterEach(async () => {
    await mongo.shop.dropDatabase();
    await mongo.close();
  });

  function newCommit(stream = freshStream(), data: Record<string, unknown> = {}): CommitDocument {
    const commit = sampleCommit(stream, 0, 1, { data });
    return commitDocument(
      commit,
      commit.events.map((event) => JSON.stringify(event)),
    );
  }

  const names = async () => (await commits.find().toArray()).map(({ _id }) => _id).sort();
  const outcomes = async (batch: readonly CommitDocument[]) =>
    (await Promise.allSettled(batch.map(batches.insert))).map((one) =>
      one.status === 'fulfilled' ? one.value : one.reason,
    );

  it('LOG1 commits that arrive at the same time are inserted in one batch, each as its own document', async () => {
    const insertMany = vi.spyOn(commits, 'insertMany');
    const batch = Array.from({ length: 20 }, () => newCommit());
    expect(await outcomes(batch)).toEqual(batch.map(() => 'inserted'));
    expect(insertMany).toHaveBeenCalledTimes(1);
    expect(await names()).toEqual(batch.map(({ _id }) => _id).sort());
  });

  it('LOG2 if two commits in a batch have the same name, only one is inserted, and the other commits are not affected', async () => {
    const stream = freshStream();
    const [standing, next] = [newCommit(), newCommit()];
    await batches.insert(standing);
    const rivals = [newCommit(stream), newCommit(stream)];
    expect((await outcomes([standing, ...rivals, next])).sort()).toEqual(['inserted', 'inserted', 'taken', 'taken']);
    expect(await names()).toEqual([standing, rivals[0], next].map((one) => one?._id).sort());
  });

  it('LOG2 a commit that cannot be stored is refused without affecting the other commits in its batch', async () => {
    const bad = newCommit(freshStream(), { 'null\u0000byte': 1 });
    const [one, other] = [newCommit(), newCommit()];
    expect(await outcomes([one, bad, other])).toEqual(['inserted', expect.any(InvalidCommit), 'inserted']);
    expect(await names()).toEqual([one._id, other._id].sort());
  });

  it('LOG2 if a batch fails, the outcome of all its commits is unknown', async () => {
    const failure = new Error('connection lost');
    vi.spyOn(commits, 'insertMany').mockRejectedValueOnce(failure);
    expect(await outcomes([newCommit(), newCommit()])).toEqual([failure, failure]);
  });

  it('READ1 commit look-ups that arrive at the same time share one query, and each look-up gets its own result', async () => {
    const [one, other] = [newCommit(), newCommit()];
    await outcomes([one, other]);
    const find = vi.spyOn(commits, 'find');
    const found = await Promise.all([[one._id, 'none'], [], [other._id], [one._id, other._id]].map(batches.find));
    expect(find).toHaveBeenCalledTimes(1);
    expect(found.map((each) => each.map(({ _id }) => _id))).toEqual([[one._id], [], [other._id], [one._id, other._id]]);
  });
});
