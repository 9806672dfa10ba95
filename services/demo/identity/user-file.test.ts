import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createUserSaver, readUserFile } from './user-file.ts';

let directory: string;
let path: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'users-'));
  path = join(directory, 'users.json');
});
afterEach(() => rm(directory, { recursive: true, force: true }));

describe('user file', () => {
  it('saving users writes a file that only its owner can read, and leaves no temporary file behind', async () => {
    const users = [{ localId: 'a', email: 'a@b.test' }];
    await createUserSaver(path, () => users)();
    expect(await readUserFile(path)).toEqual(users);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readdir(directory)).toEqual(['users.json']);
  });

  it('reading a user file that does not exist yet returns no users', async () => {
    expect(await readUserFile(path)).toEqual([]);
  });

  it('saving users that have not changed does not rewrite the user file', async () => {
    const save = createUserSaver(path, () => [{ localId: 'a' }]);
    await save();
    const { ino } = await stat(path);
    await save();
    expect((await stat(path)).ino).toBe(ino);
  });

  it('each save() call resolves only after its change is in the file, even if many calls share one write', async () => {
    const users: { localId: string }[] = [];
    let looks = 0;
    const save = createUserSaver(path, () => {
      looks += 1;
      return users;
    });
    const saved = Array.from({ length: 50 }, async (_, index) => {
      for (let turn = 0; turn < index; turn += 1) await Promise.resolve();
      users.push({ localId: `user-${index}` });
      await save();
      expect(await readFile(path, 'utf8')).toContain(`"user-${index}"`);
    });
    await Promise.all(saved);
    expect(looks).toBeLessThan(50);
  });

  it('after a failed write, the next save writes the current users', async () => {
    await writeFile(join(directory, 'file'), '');
    let blocked = true;
    const hole = join(directory, 'file', 'users.json');
    const save = createUserSaver(hole, () => [{ localId: blocked ? 'a' : 'b' }]);
    await expect(save()).rejects.toThrow();
    blocked = false;
    await rm(join(directory, 'file'));
    await save();
    expect(await readUserFile(hole)).toEqual([{ localId: 'b' }]);
  });

  it('after a failed write, the next save writes the users even if they have not changed', async () => {
    await writeFile(join(directory, 'file'), '');
    const hole = join(directory, 'file', 'users.json');
    const save = createUserSaver(hole, () => [{ localId: 'a' }]);
    await expect(save()).rejects.toThrow();
    await rm(join(directory, 'file'));
    await save();
    expect(await readUserFile(hole)).toEqual([{ localId: 'a' }]);
  });

  it.each([
    ['of a newer version', '{"format":2,"users":[]}', /newer version/],
    ['that was cut off', '{"format":1,"us', /damaged/],
    ['with other contents', '[]', /damaged/],
  ])('reading a user file %s fails with a one-line message', async (_, text, reason) => {
    await writeFile(path, text);
    await expect(readUserFile(path)).rejects.toThrow(reason);
  });
});
