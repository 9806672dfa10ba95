import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { dirname } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFirebaseIdentity } from '../../identity/firebase-identity.ts';
import { builtPrograms } from '../../whole-shop/test-programs.fixture.ts';
import { startProvider } from '../start-provider.ts';
import { callAccounts, startTestEmulator, type TestEmulator } from './emulator.fixture.ts';
import { callAsOwner } from './emulator-calls.ts';

let test: TestEmulator;
let origin: string;

beforeAll(async () => {
  test = await startTestEmulator();
  origin = `http://${test.emulator.host}`;
});
afterAll(() => test.dispose());

/** Returns the status of a GET request with headers that fetch wouldn't send. */
function statusOf(host: string, headers: Record<string, string>): Promise<number | undefined> {
  const [hostname, port] = host.split(':');
  return new Promise((resolve, reject) => {
    request({ hostname, port, path: '/', headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    })
      .on('error', reject)
      .end();
  });
}

describe('calls to the identity emulator', () => {
  it('AUTH4 the identity emulator returns 404 for endpoints that the shop never uses, even to requests with the owner token', async () => {
    const address = { host: test.emulator.host, projectId: 'demo-shop' };
    const admin = '/identitytoolkit.googleapis.com/v2/projects/{project}';
    for (const path of [`${admin}/config`, `${admin}/tenants`]) {
      await expect(callAsOwner(address, 'GET', path), path).rejects.toThrow('answered 404');
    }
    expect((await callAccounts(`http://${test.emulator.host}`, 'signInWithCustomToken', {})).status).toBe(404);
    expect(await callAsOwner(address, 'GET', '/emulator/v1/projects/{project}/oobCodes')).toHaveProperty('oobCodes');
  });
});

describe('identity emulator', () => {
  it('AUTH4 the identity emulator refuses browser requests sent from another website or through DNS rebinding', async () => {
    const { host } = test.emulator;
    expect(await statusOf(host, {})).toBe(200);
    expect(await statusOf(host, { origin: 'https://elsewhere.test' })).toBe(403);
    expect(await statusOf(host, { host: 'elsewhere.test' })).toBe(403);
  });

  it('I3 a sign-in with an unknown e-mail address gets the same response as one with a wrong password', async () => {
    await callAccounts(origin, 'signUp', { email: 'known@shop.test', password: 'secret1' });
    const unknown = await callAccounts(origin, 'signInWithPassword', {
      email: 'nobody@shop.test',
      password: 'secret1',
    });
    const wrong = await callAccounts(origin, 'signInWithPassword', { email: 'known@shop.test', password: 'secret2' });
    expect(unknown.error?.message).toBe('INVALID_LOGIN_CREDENTIALS');
    expect([wrong.status, wrong.error?.message]).toEqual([unknown.status, unknown.error?.message]);
  });

  it('the identity emulator keeps running after SIGINT and SIGTERM', async () => {
    process.kill(test.emulator.pid, 'SIGINT');
    process.kill(test.emulator.pid, 'SIGTERM');
    expect((await callAccounts(origin, 'createAuthUri', { identifier: 'a@b.test', continueUri: origin })).status).toBe(
      200,
    );
  });

  it('sign-ups fail while the identity emulator cannot write its data file, and work again afterwards', async () => {
    const directory = dirname(test.dataFile);
    await rm(directory, { recursive: true });
    await writeFile(directory, 'not a directory');
    const refused = await callAccounts(origin, 'signUp', { email: 'lost@shop.test', password: 'secret1' });
    expect([refused.status, refused.idToken]).toEqual([500, '']);
    await rm(directory);
    expect((await callAccounts(origin, 'signUp', { email: 'kept@shop.test', password: 'secret1' })).status).toBe(200);
    expect(await readFile(test.dataFile, 'utf8')).toContain('kept@shop.test');
  });

  it('acknowledged sign-ups survive a SIGKILL of the identity emulator, and only the owner can read its data file', async () => {
    const emails = Array.from({ length: 20 }, (_, index) => `buyer-${index}@shop.test`);
    const signUps = emails.map((email) => callAccounts(origin, 'signUp', { email, password: 'secret1' }));
    const accounts = await Promise.all(signUps);
    const last = await callAccounts(origin, 'signUp', { email: 'last@shop.test', password: 'secret1' });
    process.kill(test.emulator.pid, 'SIGKILL');
    expect((await test.emulator.exited).signal).toBe('SIGKILL');
    expect((await stat(test.dataFile)).mode & 0o777).toBe(0o600);

    const { host } = await test.restart();
    for (const email of [...emails, 'last@shop.test']) {
      const again = await callAccounts(`http://${host}`, 'signInWithPassword', { email, password: 'secret1' });
      expect(again.status, email).toBe(200);
    }
    // A session from before the restart stays valid: restarting the shop signs nobody out.
    const identity = createFirebaseIdentity({ mode: 'demo', projectId: 'demo-shop', emulatorHost: host });
    expect((await identity.verifyIdToken(last.idToken)).uid).toBe(last.localId);
    const oldest = accounts[0]?.idToken;
    expect((await callAccounts(`http://${host}`, 'lookup', { idToken: oldest })).status).toBe(200);
    await identity.close();
  });
});

describe('starting the identity emulator', () => {
  const start = async (dataFile: string, projectId: string, port = 0) => {
    const options = { port, builtIn: await builtPrograms() };
    await (await startProvider('emulator', { dataFile, projectId, loopback: true }, options)).ready;
  };

  it('AUTH4 the identity emulator refuses to start if the project id lacks the demo- prefix, because the project might be real', async () => {
    await expect(start(test.dataFile, 'shop')).rejects.toThrow(/did not start: The project id .* begins with demo-/);
  });

  it('the identity emulator fails to start, with a one-line error, if its data file was written by a newer version', async () => {
    const newer = `${test.dataFile}.newer`;
    await writeFile(newer, '{"format":2,"users":[]}');
    await expect(start(newer, 'demo-shop')).rejects.toThrow(/did not start: .* was written by a newer version/);
  });

  it('the identity emulator fails to start, with a one-line error, if its port is taken', async () => {
    const holder = createServer();
    await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve));
    const { port } = holder.address() as AddressInfo;
    await expect(start(`${test.dataFile}.other`, 'demo-shop', port)).rejects.toThrow(/did not start: .*EADDRINUSE/);
    await new Promise((resolve) => holder.close(resolve));
  });
});
