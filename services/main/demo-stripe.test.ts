import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { demoStripeKeys } from '../process/demo-stripe-keys.ts';
import { createStripeClient } from '../shop/payment/stripe-client-flow.ts';
import { startReadyProcess } from '../whole-shop/ready-process.fixture.ts';
import { freshDataDir } from '../whole-shop/shop-process.fixture.ts';
import { builtPrograms } from '../whole-shop/test-programs.fixture.ts';

const SECRET = 'an-access-token-secret-of-32-bytes';

let data: ReturnType<typeof freshDataDir>;
beforeEach(() => {
  data = freshDataDir();
});
afterEach(() => data.remove());

describe('the Stripe simulator running in its own process', () => {
  it('the Stripe simulator accepts the API key derived from the access token secret, exits on SIGTERM, and keeps its data across restarts', async () => {
    const variables = {
      PORT: '0',
      DATA_DIR: data.path,
      ACCESS_TOKEN_SECRET: SECRET,
      WEBHOOK_URL: 'http://127.0.0.1:9/webhooks/stripe',
    };
    const client = (simulatorUrl: string) =>
      createStripeClient({ secretKey: demoStripeKeys(SECRET).secretKey, simulatorUrl });
    const first = await startReadyProcess('demo-stripe', [], variables);
    const made = await client(first.url).paymentIntents.create({ amount: 10_000, currency: 'bdt' });
    expect(await first.stop()).toBe(0);

    const second = await startReadyProcess('demo-stripe', [], variables);
    expect((await client(second.url).paymentIntents.retrieve(made.id)).amount).toBe(10_000);
    expect(await second.stop()).toBe(0);
  });

  it('AUTH4 the Stripe simulator exits with a one-line error if a setting is missing or invalid, or if HOST opens it to the network without DEMO_PUBLIC=1', async () => {
    const program = join(await builtPrograms(), 'demo-stripe.js');
    const start = (variables: Record<string, string>) =>
      promisify(execFile)(process.execPath, [program], {
        env: { PATH: process.env.PATH, PORT: '0', DATA_DIR: data.path, ...variables },
      });
    await expect(start({ WEBHOOK_URL: 'web:8080 webhooks' })).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^Configuration: ACCESS_TOKEN_SECRET is missing; WEBHOOK_URL is an address .*\n$/),
    });
    await expect(start({ HOST: '0.0.0.0' })).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^Configuration: HOST 0\.0\.0\.0 opens .* DEMO_PUBLIC=1 .*\n$/),
    });
  });
});
