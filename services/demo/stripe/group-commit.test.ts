import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openDatabase } from './database.ts';
import { createGroupCommit } from './group-commit.ts';
import { createStore, FIRST_ACCOUNT } from './store.ts';

it('work queued in the same turn of the event loop is committed together, and only work that throws is rolled back', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'group-commit-'));
  const database = openDatabase(join(folder, 'stripe.sqlite'));
  onTestFinished(() => {
    database.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const store = createStore(database, () => FIRST_ACCOUNT);
  const commit = createGroupCommit(database);
  const put = (id: string) => store.put({ id, object: 'charge', created: 1 } as never);
  const outcomes = await Promise.allSettled(
    ['a', 'b', 'c'].map((id) =>
      commit(() => {
        put(id);
        expect(database.inTransaction).toBe(true);
        if (id === 'b') throw new Error('refused');
        return { id, others: ['a', 'b', 'c'].filter((other) => other !== id && store.get('charge', other)) };
      }),
    ),
  );
  expect(outcomes).toEqual([
    { status: 'fulfilled', value: { id: 'a', others: [] } },
    { status: 'rejected', reason: new Error('refused') },
    { status: 'fulfilled', value: { id: 'c', others: ['a'] } },
  ]);
  expect(['a', 'b', 'c'].map((id) => store.get('charge', id)?.id)).toEqual(['a', undefined, 'c']);
  expect(database.inTransaction).toBe(false);
});
