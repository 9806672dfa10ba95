import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { sqliteError } from './sqlite.ts';
import { isFileLost } from './sqlite-file.ts';
import { guardStore, StoreUnavailable, within } from './store-unavailable.ts';

describe('a guarded store', () => {
  it.each([
    ['SQLITE_FULL', 13],
    ['SQLITE_IOERR_FSYNC', 1034],
    ['SQLITE_READONLY_DBMOVED', 1032],
    ['SQLITE_BUSY', 5],
    ['SQLITE_CORRUPT_INDEX', 779],
  ])('CMD7 a guarded store rejects with StoreUnavailable if SQLite fails with %s', async (_name, code) => {
    const failing = async () => {
      throw sqliteError('said by the file', code);
    };
    await expect(guardStore({ failing }, { isLost: isFileLost }).failing()).rejects.toThrow(StoreUnavailable);
  });

  it("CMD7 a guarded store passes on errors unchanged if they don't mean that the store is unavailable", async () => {
    const constraint = sqliteError('taken', 2067);
    const failing = async (error: Error) => {
      throw error;
    };
    const guarded = guardStore({ failing }, { isLost: isFileLost });
    await expect(guarded.failing(constraint)).rejects.toBe(constraint);
    await expect(guarded.failing(new TypeError('a bug'))).rejects.toThrow(TypeError);
  });

  it('CMD7 a guarded store enforces its time limit on reads, but not on other calls', async () => {
    let answer = (_value: string) => {};
    const slow = () =>
      new Promise<string>((resolve) => {
        answer = resolve;
      });
    const guarded = guardStore({ read: slow, save: slow }, { isLost: () => false, timeoutMs: 20 }, ['read']);
    await expect(guarded.read()).rejects.toThrow('has not answered read within 20 ms');
    const saving = guarded.save();
    await expect(guarded.read()).rejects.toThrow(StoreUnavailable);
    answer('late');
    const saved = guarded.save();
    answer('saved');
    expect(await saved).toBe('saved');
    void saving;
  });
});

describe('work with a time limit', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());
  const late = () => new Error('late');

  it('CMD7 no timer is left once work with a time limit has succeeded or failed', async () => {
    expect(await within(1_500, async () => 'done', late)).toBe('done');
    await expect(within(1_500, () => Promise.reject(new Error('failed')), late)).rejects.toThrow('failed');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('CMD7 once work has exceeded its time limit, expired() tells it not to start anything else', async () => {
    let isExpired = () => false;
    const hanging = within(
      1_500,
      (expired) => {
        isExpired = expired;
        return new Promise(() => {});
      },
      late,
    );
    const told = expect(hanging).rejects.toThrow('late');
    await vi.advanceTimersByTimeAsync(1_499);
    expect(isExpired()).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await told;
    expect(isExpired()).toBe(true);
  });
});
