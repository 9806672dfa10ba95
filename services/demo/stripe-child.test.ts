import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Database } from '../runtime/sqlite.ts';
import { builtPrograms } from '../whole-shop/test-programs.fixture.ts';
import { type ProviderProcess, startProvider } from './start-provider.ts';
import { control, type Receiver, refusalOf, sdk, settingsFor, startReceiver } from './stripe/simulator.fixture.ts';

const PAID = { amount: 125_000, currency: 'bdt', confirm: true, payment_method: 'pm_card_visa' };
let folder: string;
let receiver: Receiver;
let child: ProviderProcess | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stripe-child-'));
  receiver = await startReceiver();
});
afterEach(async () => {
  await child?.stop();
  await receiver.close();
  await rm(folder, { recursive: true, force: true });
});

async function start(changes: object = {}): Promise<ProviderProcess> {
  // Deliveries can be slow on a busy machine, and a timeout would cause a second attempt.
  const settings = { ...settingsFor(folder, receiver.url), webhookTimeoutMs: 10_000, ...changes };
  const started = await startProvider('stripe', settings, { builtIn: await builtPrograms() });
  await started.ready;
  return started;
}

describe('the Stripe simulator as a child process', () => {
  it('acknowledged payments, idempotency keys and undelivered events survive a SIGKILL of the Stripe simulator', async () => {
    receiver.answer = () => 500;
    child = await start({ retry: { firstMs: 600_000 } });
    const key = { idempotencyKey: 'order:o1:pi:1' };
    const intent = await sdk(child.port).paymentIntents.create(PAID, key);
    await expect.poll(() => receiver.events.length).toBe(3);
    process.kill(child.pid, 'SIGKILL');
    expect((await child.exited).signal).toBe('SIGKILL');
    receiver.answer = () => 200;
    receiver.events.length = 0;
    child = await start();
    expect(await sdk(child.port).paymentIntents.retrieve(intent.id)).toEqual(intent);
    expect(await sdk(child.port).paymentIntents.create(PAID, key)).toEqual(intent);
    expect((await control(child.port).settled()).settled).toBe(true);
    expect(receiver.events).toHaveLength(3);
  });

  it('the Stripe simulator ignores SIGTERM and SIGINT, and exits when its IPC channel closes', async () => {
    child = await start();
    process.kill(child.pid, 'SIGTERM');
    process.kill(child.pid, 'SIGINT');
    expect((await sdk(child.port).paymentIntents.create(PAID)).status).toBe('succeeded');
    await child.stop();
    expect(await child.exited).toEqual({ code: 0, signal: null });
    expect((await refusalOf(sdk(child.port).paymentIntents.list())).type).toBe('StripeConnectionError');
  });

  it('the first call to the Stripe simulator makes it load, and then succeeds', async () => {
    const options = { after: new Promise(() => {}), builtIn: await builtPrograms() };
    child = await startProvider('stripe', settingsFor(folder, receiver.url), options);
    expect(child.pid).toBe(0);
    expect((await sdk(child.port).paymentIntents.create(PAID)).status).toBe('succeeded');
  });

  it('the Stripe simulator can be stopped before it is loaded', async () => {
    const options = { after: new Promise(() => {}), builtIn: await builtPrograms() };
    child = await startProvider('stripe', settingsFor(folder, receiver.url), options);
    await child.stop();
    await expect(child.ready).rejects.toThrow('was stopped');
    expect((await refusalOf(sdk(child.port).paymentIntents.list())).type).toBe('StripeConnectionError');
  });

  it('after a restart with another webhook URL, the Stripe simulator delivers pending events to the new URL', async () => {
    child = await start({ webhookUrl: 'http://127.0.0.1:9/webhooks/stripe', retry: { firstMs: 600_000 } });
    await sdk(child.port).paymentIntents.create(PAID);
    await child.stop();
    child = await start();
    expect((await control(child.port).settled()).settled).toBe(true);
    expect(receiver.events.map((event) => event.type)).toContain('payment_intent.succeeded');
  });

  it("the Stripe simulator refuses to start with a live key or a newer version's data file, and the error gives the reason", async () => {
    await expect(start({ secretKey: 'sk_live_0123456789' })).rejects.toThrow('a secret key begins with sk_test_');
    const newer = new Database(join(folder, 'stripe.sqlite'));
    newer.pragma('user_version = 99');
    newer.close();
    await expect(start()).rejects.toThrow('was written by a newer version of this program');
  });
});
