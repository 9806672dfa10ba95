import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { freshDataDir } from '../whole-shop/shop-process.fixture.ts';
import { builtPrograms } from '../whole-shop/test-programs.fixture.ts';

const ON_SERVERS = {
  MONGODB_URI: 'mongodb://127.0.0.1:9/shop',
  KAFKA_BROKERS: '127.0.0.1:9',
  REDIS_URL: 'redis://127.0.0.1:9',
  DEMO: '1',
  STRIPE_SIMULATOR_URL: 'http://127.0.0.1:9',
  FIREBASE_AUTH_EMULATOR_HOST: '127.0.0.1:9',
  ACCESS_TOKEN_SECRET: 'x'.repeat(32),
};

let data: ReturnType<typeof freshDataDir>;
beforeEach(() => {
  data = freshDataDir();
});
afterEach(() => data.remove());

it.each([
  ['a directory without a shop', {}, /^\S+shop\.sqlite is missing: there is no shop in this directory\.\n$/],
  [
    'a shop on servers',
    ON_SERVERS,
    /^Unset MONGODB_URI.* one on servers is backed up by the tools of MongoDB: see OPERATIONS\.md\.\n$/,
  ],
])('LOG6 BACKUP1 exporting the log fails for %s, and writes no archive', async (_what, variables, said) => {
  const env = { ...process.env, DATA_DIR: data.path, ...variables };
  const program = join(await builtPrograms(), 'export-log.js');
  const exporting = promisify(execFile)(process.execPath, [program, join(data.path, 'log')], { env });
  await expect(exporting).rejects.toMatchObject({ code: 1, stderr: expect.stringMatching(said) });
  expect(readdirSync(data.path)).toEqual([]);
});

it('LOG6 rebuilding the read models in a directory without a shop fails and creates no files', async () => {
  const rebuilding = promisify(execFile)(process.execPath, [join(await builtPrograms(), 'rebuild.js')], {
    env: { ...process.env, DATA_DIR: data.path },
  });
  const said = expect.stringMatching(/^\S+shop\.sqlite is missing: there is no shop in this directory\.\n$/);
  await expect(rebuilding).rejects.toMatchObject({ code: 1, stderr: said });
  expect(readdirSync(data.path)).toEqual([]);
});
