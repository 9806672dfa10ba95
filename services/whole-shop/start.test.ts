import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createdSchema } from '../contracts/answers.ts';
import { DEMO_ACCOUNTS } from '../demo/identity/demo-accounts.ts';
import { openShopDatabase } from '../embedded/sqlite/sqlite-database.ts';
import { holdDataDir } from '../runtime/data-dir.ts';
import {
  type Answer,
  addProduct,
  orderList,
  orderOf,
  type Person,
  passwordIdToken,
  productOf,
  signIn,
} from './shop-client.fixture.ts';
import { freshDataDir, type ShopProcess, START, startShopProcess } from './shop-process.fixture.ts';

const SLOW = 150_000;
/** Secrets like those that a shop saves in its data directory at its first startup. */
const SECRETS = {
  accessToken: 'a'.repeat(64),
  userId: 'u'.repeat(64),
  idempotency: 'i'.repeat(64),
  stripeSecretKey: 'sk_test_12345678',
  stripePublishableKey: 'pk_test_12345678',
  stripeWebhookSecret: 'whsec_12345678',
};

let data: ReturnType<typeof freshDataDir>;
beforeAll(() => {
  data = freshDataDir();
});
afterAll(() => data.remove());

/** Expects startup to fail with exit code 1 and to print a single line, which matches `line`. */
async function expectOneLine(variables: Record<string, string>, line: RegExp): Promise<void> {
  const child = spawn(process.execPath, START, {
    env: { ...process.env, PORT: '0', LOG_LEVEL: 'warn', NODE_ENV: 'production', ...variables },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  // Waits for 'exit' rather than 'close', because a child process that is still loading may keep the pipe open a little
  // longer.
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve));
  await expect.poll(() => said, { timeout: 5_000 }).toMatch(line);
  expect(said.trimEnd().split('\n')).toHaveLength(1);
  expect(code).toBe(1);
}

interface RunningProcess {
  readonly pid: number;
  readonly parent: number;
  readonly state: string;
}

/** Lists the running processes. A zombie has exited and doesn't count. */
function runningProcesses(): RunningProcess[] {
  return execFileSync('ps', ['-A', '-o', 'pid=,ppid=,stat='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .map(([pid, parent, state = '']) => ({ pid: Number(pid), parent: Number(parent), state }))
    .filter(({ state }) => !state.startsWith('Z'));
}

function childrenOf(shop: ShopProcess): number[] {
  return runningProcesses()
    .filter(({ parent }) => parent === shop.pid)
    .map(({ pid }) => pid);
}

async function expectEnded(pids: readonly number[]): Promise<void> {
  const left = () => runningProcesses().filter(({ pid }) => pids.includes(pid));
  await expect.poll(left, { timeout: 20_000, interval: 100 }).toEqual([]);
}

async function person(shop: ShopProcess, role: 'admin' | 'customer'): Promise<Person> {
  const account = DEMO_ACCOUNTS.find((one) => one.role === role) ?? DEMO_ACCOUNTS[0];
  const { email, password } = account;
  return signIn(shop.url, email, await passwordIdToken(shop.url, email, password));
}

describe('a startup that fails', () => {
  it('AUTH4 startup fails with a one-line error that names every missing or invalid configuration variable', async () => {
    const wrong = { STRIPE_SECRET_KEY: 'sk_live_1', PORT: 'eighty', DATA_DIR: data.path };
    await expectOneLine(wrong, /^Configuration: (?=.*PORT)(?=.*FIREBASE_PROJECT_ID)(?=.*STRIPE_WEBHOOK_SECRET).*\.$/m);
  });

  it.each(['missing', 'made for another machine'])(
    'startup fails with a one-line error that names the machine if the SQLite binary is %s',
    async (state) => {
      const [{ path, remove }, tuple] = [freshDataDir(), `${process.platform}-${process.arch}`];
      if (state !== 'missing') {
        mkdirSync(join(path, 'prebuilds', tuple), { recursive: true });
        writeFileSync(join(path, 'prebuilds', tuple, 'sqlite.node'), 'not a library');
      }
      const line = new RegExp(
        `^SQLite cannot be loaded on this machine \\(${tuple.replace('-', ' ')}\\): .*glibc 2\\.31`,
      );
      await expectOneLine({ DATA_DIR: path, '@PHOTOSTRUCTURE/SQLITE_PREBUILD': path }, line);
      remove();
    },
    SLOW,
  );

  it(
    'START1 startup fails with a one-line error if the port is taken',
    async () => {
      const other = createServer();
      const port = await new Promise<number>((resolve) => {
        other.listen(0, '127.0.0.1', () => resolve((other.address() as { port: number }).port));
      });
      await expectOneLine({ PORT: String(port), DATA_DIR: data.path }, /^Port \d+ on 127\.0\.0\.1 is taken .*PORT/);
      await new Promise((resolve) => other.close(resolve));
    },
    SLOW,
  );

  it(
    'START1 startup fails with a one-line error if the data directory is in use',
    async () => {
      const held = holdDataDir(data.path);
      await expectOneLine(
        { DATA_DIR: data.path },
        /^The data directory .* is in use by another running shop: stop it, .*\.$/m,
      );
      held.release();
    },
    SLOW,
  );

  it(
    'START1 startup fails with a one-line error if a data file is damaged or was written by a newer version',
    async () => {
      const [newer, damaged] = [freshDataDir(), freshDataDir()];
      const database = openShopDatabase(join(newer.path, 'stripe.sqlite'));
      database.pragma('user_version = 99');
      database.close();
      await expectOneLine(
        { DATA_DIR: newer.path },
        /stripe\.sqlite was written by a newer version .*version 99.*: update /,
      );
      writeFileSync(join(damaged.path, 'identity.json'), '{"format":1');
      await expectOneLine({ DATA_DIR: damaged.path }, /identity\.json is damaged/);
      newer.remove();
      damaged.remove();
    },
    SLOW,
  );
});

describe('a running shop', () => {
  let shop: ShopProcess;
  let productId: string;
  const acknowledged = new Map<string, string>();
  const key = (n: number) => ({ 'idempotency-key': `start-${n}` });
  const place = (buyer: Person, n: number, quantity = 1) =>
    buyer.call('POST', '/orders', orderOf(buyer, productId, quantity), key(n));

  it(
    'CMD1 LOG1 a shop that gets SIGTERM while orders are in flight exits with its child processes within 10 s, and loses no acknowledged order',
    async () => {
      shop = await startShopProcess(data.path);
      const children = childrenOf(shop);
      expect(children).toHaveLength(2);
      productId = await addProduct(await person(shop, 'admin'), { quantity: 10_000 });
      const buyer = await person(shop, 'customer');
      const refused = new Set<string>();
      let stopped = false;
      const note = ({ status, body }: Answer, n: number) => {
        if (status === 201) acknowledged.set(`start-${n}`, createdSchema.parse(body).insertedId);
        else refused.add(`${status} ${(body as { code: string }).code}`);
      };
      const buying = Array.from({ length: 16 }, async (_, worker) => {
        for (let n = worker; !stopped; n += 16) {
          try {
            note(await place(buyer, n), n);
          } catch {
            return;
          }
        }
      });
      await expect.poll(() => acknowledged.size, { timeout: 30_000, interval: 5 }).toBeGreaterThan(50);
      const { code, tookMs } = await shop.stop();
      stopped = true;
      await Promise.all(buying);
      expect(code).toBe(0);
      expect(tookMs).toBeLessThan(10_000);
      expect([...refused].filter((answer) => answer !== '503 shutting_down')).toEqual([]);
      await expectEnded([shop.pid, ...children]);
    },
    SLOW,
  );

  it(
    'CMD3 after a restart, repeating an idempotency key returns the order placed with it, and reusing the key with another body is refused',
    async () => {
      shop = await startShopProcess(data.path);
      const buyer = await person(shop, 'customer');
      const orders = orderList(await buyer.call('GET', `/individual?email=${buyer.email}`));
      const standing = new Set(orders.map(({ _id }) => _id));
      expect([...acknowledged.values()].filter((id) => !standing.has(id))).toEqual([]);
      expect(productOf(await buyer.call('GET', `/products/${productId}`)).quantity).toBe(10_000 - orders.length);

      const [first] = acknowledged;
      const [name, orderId] = first ?? ['', ''];
      const n = Number(name.replace('start-', ''));
      expect(await place(buyer, n)).toMatchObject({ status: 201, body: { insertedId: orderId, version: 1 } });
      expect(await place(buyer, n, 2)).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
      expect(productOf(await buyer.call('GET', `/products/${productId}`)).quantity).toBe(10_000 - orders.length);
    },
    SLOW,
  );

  it(
    'a shop restarts killed child processes at the same addresses, and sign-in and payments work again',
    async () => {
      const children = childrenOf(shop);
      for (const pid of children) process.kill(pid, 'SIGKILL');
      await expect
        .poll(() => childrenOf(shop).filter((pid) => !children.includes(pid)), { timeout: 60_000, interval: 200 })
        .toHaveLength(2);
      const signsIn = () =>
        person(shop, 'customer').then(
          () => true,
          () => false,
        );
      await expect.poll(signsIn, { timeout: 60_000, interval: 500 }).toBe(true);
      const buyer = await person(shop, 'customer');
      const orderId = createdSchema.parse((await place(buyer, 900_000)).body).insertedId;
      const pays = async () =>
        (await buyer.call('POST', '/create-payment-intent', { orderId, totalPrice: 1_000 })).status;
      await expect.poll(pays, { timeout: 60_000, interval: 500 }).toBe(200);
    },
    SLOW,
  );

  it("a shop's child processes exit when the shop is killed", async () => {
    const children = childrenOf(shop);
    expect(children).toHaveLength(2);
    await shop.kill();
    await expectEnded([shop.pid, ...children]);
  }, 30_000);
});

describe('npm start', () => {
  it(
    "all of the shop's processes exit when the process launched by npm start gets SIGTERM",
    async () => {
      const npm = spawn('npm', ['start'], {
        cwd: fileURLToPath(new URL('../..', import.meta.url)),
        env: { ...process.env, PORT: '0', DATA_DIR: data.path, LOG_LEVEL: 'warn', NODE_ENV: 'production' },
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      let said = '';
      npm.stdout.on('data', (chunk: Buffer) => {
        said += chunk.toString();
      });
      await expect.poll(() => said, { timeout: 140_000, interval: 100 }).toMatch(/^ready /m);
      const below = (pid: number): number[] =>
        runningProcesses()
          .filter(({ parent }) => parent === pid)
          .flatMap((child) => [child.pid, ...below(child.pid)]);
      const all = below(npm.pid ?? 0);
      expect(all.length).toBeGreaterThanOrEqual(3);
      process.kill(all[0] ?? 0, 'SIGTERM');
      await expectEnded(all);
    },
    SLOW,
  );
});

describe('a shop whose files are deleted', () => {
  const key = { 'idempotency-key': 'gone' };

  it(
    'LOG6 a running shop whose log is deleted prints a one-line error within 5 s and exits',
    async () => {
      const shop = await startShopProcess(data.path);
      const before = shop.output();
      const admin = await person(shop, 'admin');
      rmSync(join(data.path, 'shop.sqlite'));
      const began = Date.now();
      const said = () => shop.output().slice(before.length);
      await expect
        .poll(said, { timeout: 5_000, interval: 50 })
        .toMatch(/shop\.sqlite was deleted or replaced while the shop was running\.\n/);
      expect(Date.now() - began).toBeLessThan(5_000);
      const product = { name: 'Late', price: 1, quantity: 1, minorder: 1 };
      const late = await admin.call('POST', '/products', product, key).catch(() => null);
      expect(late?.status ?? 503).toBe(503);
      await expectEnded([shop.pid]);
      expect(said().trimEnd().split('\n')).toHaveLength(1);
    },
    SLOW,
  );

  it(
    'LOG5 a shop whose key database is missing exits at startup with code 1 and a one-line error',
    async () => {
      const lost = freshDataDir();
      openShopDatabase(join(lost.path, 'shop.sqlite')).close();
      writeFileSync(join(lost.path, 'secrets.json'), JSON.stringify(SECRETS));
      const line = /keys\.sqlite is missing beside shop\.sqlite: restore both from one backup\.$/m;
      await expectOneLine({ DATA_DIR: lost.path }, line);
      lost.remove();
    },
    SLOW,
  );
});
