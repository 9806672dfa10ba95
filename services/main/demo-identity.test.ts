import { get } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DEMO_ACCOUNTS } from '../demo/identity/demo-accounts.ts';
import { startReadyProcess } from '../whole-shop/ready-process.fixture.ts';
import { freshDataDir } from '../whole-shop/shop-process.fixture.ts';

const SLOW = 150_000;

let data: ReturnType<typeof freshDataDir>;
beforeEach(() => {
  data = freshDataDir();
});
afterEach(() => data.remove());

async function call(url: string, name: string, body: unknown): Promise<{ status: number; idToken?: string }> {
  const answer = await fetch(`${url}/identitytoolkit.googleapis.com/v1/accounts:${name}?key=demo`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: answer.status, ...((await answer.json()) as { idToken?: string }) };
}

/** Returns the status of the response to a request that has `host` as its Host header, as in DNS rebinding. */
function statusUnder(host: string, url: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    get(`${url}/emulator/v1/projects/demo-micro-center/oobCodes`, { headers: { host } }, (answer) => {
      resolve(answer.resume().statusCode);
    }).once('error', reject);
  });
}

describe('the identity emulator running in its own process', () => {
  it(
    'AUTH4 an identity emulator in its own process signs in the demo accounts, exits on SIGTERM, and keeps new accounts across restarts',
    async () => {
      const variables = { PORT: '0', DATA_DIR: data.path };
      const newcomer = { email: 'shirin@example.test', password: 'a-long-enough-one' };
      const first = await startReadyProcess('demo-identity', [], variables);
      for (const { email, password } of DEMO_ACCOUNTS) {
        expect(await call(first.url, 'signInWithPassword', { email, password })).toHaveProperty('idToken');
      }
      expect((await call(first.url, 'signUp', newcomer)).status).toBe(200);
      expect(await first.stop()).toBe(0);
      await expect(call(first.url, 'signInWithPassword', newcomer)).rejects.toThrow();

      const second = await startReadyProcess('demo-identity', [], variables);
      expect(await call(second.url, 'signInWithPassword', newcomer)).toHaveProperty('idToken');
      expect(await second.stop()).toBe(0);
    },
    SLOW,
  );

  it.each(['localhost', '127.0.0.1'])(
    'AUTH4 an identity emulator on %s refuses to show its e-mails to a request whose Host header names another host',
    async (host) => {
      const { url, stop } = await startReadyProcess('demo-identity', [], {
        PORT: '0',
        DATA_DIR: data.path,
        HOST: host,
      });
      expect([await statusUnder('elsewhere.test', url), await statusUnder(new URL(url).host, url)]).toEqual([403, 200]);
      expect(await stop()).toBe(0);
    },
    SLOW,
  );
});
