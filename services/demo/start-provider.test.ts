import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { builtPrograms } from '../whole-shop/test-programs.fixture.ts';
import { DEMO_ACCOUNTS } from './identity/demo-accounts.ts';
import { callAccounts, PROJECT } from './identity/emulator.fixture.ts';
import { type ProviderProcess, startProvider } from './start-provider.ts';
import { settingsFor } from './stripe/simulator.fixture.ts';

/** How often to call a provider while it loads. */
const CALL_EVERY_MS = 5;
/** A call that gets no response within this time fails. */
const ANSWER_LIMIT_MS = 20_000;

let folder: string;
let provider: ProviderProcess | undefined;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'start-provider-'));
});
afterEach(async () => {
  await provider?.stop();
  await rm(folder, { recursive: true, force: true });
});

async function startStripe(changes: object = {}, at: { port?: number; after?: Promise<unknown> } = {}) {
  const settings = { ...settingsFor(folder, 'http://127.0.0.1:9/webhooks/stripe'), ...changes };
  return startProvider('stripe', settings, { ...at, builtIn: await builtPrograms() });
}

/** Calls a provider repeatedly until it's ready, each time on a new connection. Returns each call's status or error. */
async function callWhileLoading({ port, ready }: ProviderProcess): Promise<(number | string)[]> {
  let loading = true;
  const loaded = ready.finally(() => {
    loading = false;
  });
  const calls: Promise<number | string>[] = [];
  const call = async () => {
    const signal = AbortSignal.timeout(ANSWER_LIMIT_MS);
    const answer = await fetch(`http://127.0.0.1:${port}/v1/events`, { headers: { connection: 'close' }, signal });
    return answer.status;
  };
  while (loading) {
    calls.push(call().catch(String));
    await Promise.race([loaded, new Promise((resolve) => setTimeout(resolve, CALL_EVERY_MS))]);
  }
  return Promise.all(calls);
}

it('every call to a demo provider that is still loading gets a response, even after a restart on the same port', async () => {
  const first = await startStripe();
  provider = first;
  const firstAnswers = await callWhileLoading(first);
  expect(firstAnswers.length).toBeGreaterThan(5);
  expect(firstAnswers.filter((status) => status !== 401)).toEqual([]);
  process.kill(first.pid, 'SIGKILL');
  await first.exited;
  provider = await startStripe({}, { port: first.port });
  expect((await callWhileLoading(provider)).filter((status) => status !== 401)).toEqual([]);
});

it("AUTH4 nobody can sign up with a demo account's e-mail address, even while the identity emulator is still loading", async () => {
  const settings = { dataFile: join(folder, 'identity.json'), projectId: PROJECT, loopback: true };
  provider = await startProvider('emulator', settings, { builtIn: await builtPrograms() });
  const origin = `http://127.0.0.1:${provider.port}`;
  const early = await Promise.all(
    DEMO_ACCOUNTS.map(({ email }) => callAccounts(origin, 'signUp', { email, password: 'a password of mine' })),
  );
  expect(early.map(({ error }) => error?.message)).toEqual(['EMAIL_EXISTS', 'EMAIL_EXISTS', 'EMAIL_EXISTS']);
  for (const { email, password, uid } of DEMO_ACCOUNTS) {
    expect((await callAccounts(origin, 'signInWithPassword', { email, password })).localId).toBe(uid);
  }
});

it('a demo provider starts even if a caller hangs up while the provider is loading', async () => {
  provider = await startStripe({}, { after: new Promise(() => {}) });
  const { port } = provider;
  const caller = connect(port, '127.0.0.1');
  await new Promise<void>((resolve) => caller.once('connect', resolve));
  // This connection makes the provider load.
  await expect.poll(() => provider?.pid, { interval: 1 }).not.toBe(0);
  caller.resetAndDestroy();
  await provider.ready;
  expect((await fetch(`http://127.0.0.1:${port}/v1/events`)).status).toBe(401);
});

it('a demo provider that fails to start closes its port and the connections of waiting callers', async () => {
  provider = await startStripe({ secretKey: 'sk_live_0123456789' });
  const { port, ready } = provider;
  const call = fetch(`http://127.0.0.1:${port}/v1/events`).catch(() => 'closed');
  await expect(ready).rejects.toThrow('a secret key begins with sk_test_');
  expect(await call).toBe('closed');
  await expect(fetch(`http://127.0.0.1:${port}/v1/events`)).rejects.toThrow('fetch failed');
});
