import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { problemSchema } from '../../contracts/problems.ts';
import { DEMO_ACCOUNTS, ensureDemoAccounts } from './demo-accounts.ts';
import { createDemoMailbox, createDemoMailboxRouter, type DemoMail, type DemoMailbox } from './demo-mailbox.ts';
import { callAccounts, googleCredential, PROJECT, startTestEmulator, type TestEmulator } from './emulator.fixture.ts';
import { callAsOwner } from './emulator-calls.ts';
import { createEmulatorProxy } from './emulator-proxy.ts';

const ACCOUNTS = '/identitytoolkit.googleapis.com/v1/accounts';
const NOW = 1_800_000_000_000;

let test: TestEmulator;
let shop: Server;
let origin: string;
let mailbox: DemoMailbox;
const printed: string[] = [];

beforeAll(async () => {
  test = await startTestEmulator();
  const emulator = { host: test.emulator.host, projectId: PROJECT };
  mailbox = createDemoMailbox({
    emulator,
    origin: () => origin,
    clock: () => NOW,
    print: (line) => printed.push(line),
  });
  const app = express();
  app.use(createEmulatorProxy({ emulatorHost: emulator.host, onMailSent: () => void mailbox.announce() }));
  app.use(createDemoMailboxRouter(mailbox, async () => []));
  app.use((_request, response) => {
    response.status(404).send('the shop');
  });
  shop = createServer(app);
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await new Promise((resolve) => shop.close(resolve));
  await test.dispose();
});

const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(origin + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

async function problemOf(answer: Response): Promise<string> {
  expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
  const problem = problemSchema.parse(await answer.json());
  expect(problem.status).toBe(answer.status);
  return problem.code;
}

async function mailsTo(email: string): Promise<DemoMail[]> {
  const answer = await fetch(`${origin}/demo-mailbox?email=${encodeURIComponent(email)}`);
  return (await answer.json()) as DemoMail[];
}

describe("the shop's proxy for the identity emulator", () => {
  it("I1 I2 sign-up, password sign-in, session renewal and Google sign-in work through the shop's emulator proxy", async () => {
    const made = await callAccounts(origin, 'signUp', { email: 'rafiq@shop.test', password: 'secret1' });
    expect(made.status).toBe(200);
    const again = await callAccounts(origin, 'signInWithPassword', { email: 'rafiq@shop.test', password: 'secret1' });
    expect(again.localId).toBe(made.localId);
    const renewed = await fetch(`${origin}/securetoken.googleapis.com/v1/token?key=demo`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: made.refreshToken }),
    });
    expect(renewed.status).toBe(200);
    const google = await callAccounts(origin, 'signInWithIdp', googleCredential('mita@gmail.test', 'Mita Das'));
    expect(google.email).toBe('mita@gmail.test');
  });

  it('AUTH4 the emulator proxy refuses every request with an Authorization header, even if the header has the owner token', async () => {
    for (const authorization of ['Bearer owner', 'bearer OWNER', 'Bearer ya29.token']) {
      const path = `${ACCOUNTS}:lookup?key=demo`;
      expect(await problemOf(await post(path, { email: ['rafiq@shop.test'] }, { authorization }))).toBe('forbidden');
    }
  });

  it.each([
    ['GET', `/emulator/v1/projects/${PROJECT}/oobCodes`],
    ['GET', `/emulator/v1/projects/${PROJECT}/verificationCodes`],
    ['GET', `/emulator/v1/projects/${PROJECT}/config`],
    ['PATCH', `/emulator/v1/projects/${PROJECT}/config`],
    ['DELETE', `/emulator/v1/projects/${PROJECT}/accounts`],
    ['GET', '/emulator/action/../v1/projects/demo-shop/oobCodes'],
    ['GET', '/emulator/auth/handler?apiKey=x&providerId=google.com'],
    ['GET', '/emulator/auth/iframe'],
    ['GET', `/identitytoolkit.googleapis.com/v1/projects/${PROJECT}/accounts:batchGet?key=demo`],
    ['POST', `/identitytoolkit.googleapis.com/v1/projects/${PROJECT}/accounts:batchCreate?key=demo`],
    ['POST', `/identitytoolkit.googleapis.com/v1/projects/${PROJECT}/accounts?key=demo`],
    ['POST', `${ACCOUNTS}:signInWithCustomToken?key=demo`],
    ['POST', `${ACCOUNTS}:signInWithPhoneNumber?key=demo`],
    ['POST', `${ACCOUNTS}%3AsignUp?key=demo`],
    ['POST', `${ACCOUNTS}:signUp/?key=demo`],
    ['GET', `${ACCOUNTS}:signUp?key=demo`],
  ])('AUTH4 the emulator proxy refuses the request %s %s with a 403', async (method, path) => {
    // node:http sends the path unchanged, but fetch would normalize it.
    const [status, type] = await new Promise<[number | undefined, string | undefined]>((resolve, reject) => {
      request(origin, { method, path }, (answer) => {
        answer.resume();
        resolve([answer.statusCode, answer.headers['content-type']]);
      })
        .on('error', reject)
        .end();
    });
    expect([status, type?.split(';')[0]]).toEqual([403, 'application/problem+json']);
  });

  it('AUTH4 the emulator proxy refuses requests from pages of other websites, and sends no CORS headers', async () => {
    const body = { email: 'csrf@shop.test', password: 'secret1' };
    const other = await post(`${ACCOUNTS}:signUp?key=demo`, body, { origin: 'https://elsewhere.test' });
    expect(await problemOf(other)).toBe('forbidden');
    const opaque = await post(`${ACCOUNTS}:signUp?key=demo`, body, { origin: 'null' });
    expect(await problemOf(opaque)).toBe('forbidden');
    const own = await post(`${ACCOUNTS}:signUp?key=demo`, body, { origin });
    expect(own.status).toBe(200);
    expect([...own.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  it('the emulator proxy refuses a request body larger than 64 KiB', async () => {
    const answer = await post(`${ACCOUNTS}:signUp?key=demo`, { email: 'x'.repeat(70_000) });
    expect(await problemOf(answer)).toBe('payload_too_large');
  });

  it('a request whose path only resembles an emulator path is handled by the shop, not by the emulator proxy', async () => {
    expect(await (await fetch(`${origin}/emulators`)).text()).toBe('the shop');
  });
});

describe('demo mailbox', () => {
  it('I1 a verification e-mail is shown in the demo mailbox and printed, and its link to the shop works only once', async () => {
    const email = 'shirin@shop.test';
    const { idToken } = await callAccounts(origin, 'signUp', { email, password: 'secret1' });
    await callAccounts(origin, 'sendOobCode', { requestType: 'VERIFY_EMAIL', idToken });
    const [mail, ...others] = await mailsTo(email);
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ email, kind: 'verification', at: new Date(NOW).toISOString() });
    expect(mail?.link.startsWith(`${origin}/emulator/action?`)).toBe(true);
    await vi.waitUntil(() => printed.some((line) => line.includes(mail?.link ?? '?')));

    const page = await fetch(mail?.link ?? '');
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Your email is verified')]);
    const { users } = await callAccounts(origin, 'lookup', { idToken });
    expect(users).toMatchObject([{ email, emailVerified: true }]);
    expect(await mailsTo(email)).toEqual([]);
    expect((await fetch(mail?.link ?? '')).status).toBe(400);
  });

  it('the demo mailbox still works after an e-mail was sent to an address that the shop does not accept', async () => {
    const odd = await callAccounts(origin, 'signUp', { email: 'no dots@localhost', password: 'secret1' });
    expect(odd.status).toBe(200);
    await callAccounts(origin, 'sendOobCode', { requestType: 'VERIFY_EMAIL', idToken: odd.idToken });
    const email = 'lamia@shop.test';
    const { idToken } = await callAccounts(origin, 'signUp', { email, password: 'secret1' });
    await callAccounts(origin, 'sendOobCode', { requestType: 'VERIFY_EMAIL', idToken });
    const everybody = await fetch(`${origin}/demo-mailbox`);
    expect(everybody.status).toBe(200);
    expect(await everybody.json()).toContainEqual(expect.objectContaining({ email }));
  });

  it('the password-reset page refuses a form that is too large, a form in an unknown charset, and a body that is not a form', async () => {
    const send = (body: string, type = 'application/x-www-form-urlencoded') =>
      fetch(`${origin}/emulator/action?mode=resetPassword&oobCode=0123456789`, {
        method: 'POST',
        headers: { 'content-type': type },
        body,
      });
    const large = await send(`newPassword=${'x'.repeat(5_000)}`);
    expect([large.status, await large.text()]).toEqual([413, expect.stringContaining('This form cannot be read')]);
    expect((await send('newPassword=%', 'application/x-www-form-urlencoded; charset=klingon')).status).toBe(415);
    expect((await send('{', 'application/json')).status).toBe(400);
  });

  it('I4 the form that a password-reset e-mail links to sets a new password only once', async () => {
    const email = 'karim@shop.test';
    await callAccounts(origin, 'signUp', { email, password: 'secret1' });
    const asked = { requestType: 'PASSWORD_RESET', email };
    await callAccounts(origin, 'sendOobCode', asked);
    await callAccounts(origin, 'sendOobCode', asked);
    const mails = await mailsTo(email);
    expect(mails.map((mail) => mail.kind)).toEqual(['reset']);
    await vi.waitUntil(() => printed.filter((line) => line.includes(email)).length === 2);
    expect(printed.at(-1)).toContain(mails[0]?.link);

    const link = mails[0]?.link ?? '';
    const form = await fetch(link);
    const action = /action="([^"]+)"/.exec(await form.text())?.[1]?.replaceAll('&amp;', '&') ?? '';
    const send = (newPassword: string) =>
      fetch(origin + action, { method: 'POST', body: new URLSearchParams({ newPassword }) });
    expect((await send('short')).status).toBe(422);
    expect((await send('a new secret')).status).toBe(200);
    expect((await send('another secret')).status).toBe(400);
    const signIn = (password: string) => callAccounts(origin, 'signInWithPassword', { email, password });
    expect((await signIn('a new secret')).status).toBe(200);
    expect((await signIn('secret1')).status).toBe(400);
  });

  it('I4 a password-reset request for an unknown e-mail address gets the usual response, but no e-mail is sent', async () => {
    const email = 'nobody@shop.test';
    expect((await callAccounts(origin, 'sendOobCode', { requestType: 'PASSWORD_RESET', email })).status).toBe(200);
    expect(await mailsTo(email)).toEqual([]);
  });

  it('the demo mailbox lists the newest e-mail first', async () => {
    const email = 'both@shop.test';
    const { idToken } = await callAccounts(origin, 'signUp', { email, password: 'secret1' });
    await callAccounts(origin, 'sendOobCode', { requestType: 'VERIFY_EMAIL', idToken });
    await callAccounts(origin, 'sendOobCode', { requestType: 'PASSWORD_RESET', email });
    expect((await mailsTo(email)).map((mail) => mail.kind)).toEqual(['reset', 'verification']);
  });

  it('AUTH4 a manipulated e-mail link cannot redirect to another website or inject a script into the page', async () => {
    const signIn = 'mode=signIn&apiKey=x&oobCode=0123456789&continueUrl=https://elsewhere.test';
    const answer = await fetch(`${origin}/emulator/action?${signIn}`, { redirect: 'manual' });
    expect(answer.status).toBe(400);
    const script = await fetch(`${origin}/emulator/action?mode=resetPassword&oobCode="><script>alert(1)</script>`);
    expect([script.status, await script.text()]).toEqual([400, expect.not.stringContaining('<script')]);
  });
});

describe('demo accounts', () => {
  const emulator = () => ({ host: test.emulator.host, projectId: PROJECT });
  const ensure = () => ensureDemoAccounts(test.emulator.host, PROJECT);
  const signIn = (index: number) => {
    const { email, password } = DEMO_ACCOUNTS[index] ?? DEMO_ACCOUNTS[0];
    return callAccounts(origin, 'signInWithPassword', { email, password });
  };

  it('AUTH4 the demo accounts are one admin and two shoppers with fixed ids and e-mail addresses at micro-center.test', async () => {
    expect(DEMO_ACCOUNTS.map((account) => account.role).sort()).toEqual(['admin', 'customer', 'customer']);
    await ensure();
    for (const [index, account] of DEMO_ACCOUNTS.entries()) {
      expect(account.email).toMatch(/@micro-center\.test$/);
      const { localId, idToken } = await signIn(index);
      expect(localId).toBe(account.uid);
      const { users } = await callAccounts(origin, 'lookup', { idToken });
      expect(users).toMatchObject([{ email: account.email, displayName: account.name, emailVerified: true }]);
    }
  });

  it('demo accounts stay signed in when ensureDemoAccounts() runs again', async () => {
    const { idToken } = await signIn(0);
    await ensure();
    expect((await callAccounts(origin, 'lookup', { idToken })).status).toBe(200);
  });

  it('ensureDemoAccounts() resets changed e-mail addresses and passwords of demo accounts, and re-enables disabled accounts', async () => {
    const path = '/identitytoolkit.googleapis.com/v1/projects/{project}/accounts:update';
    const [admin, shopper, other] = DEMO_ACCOUNTS;
    await callAsOwner(emulator(), 'POST', path, { localId: admin.uid, password: 'changed password' });
    await callAsOwner(emulator(), 'POST', path, { localId: shopper.uid, email: 'moved@shop.test' });
    await callAsOwner(emulator(), 'POST', path, { localId: other.uid, disableUser: true });
    await ensure();
    for (const [index, account] of DEMO_ACCOUNTS.entries()) {
      const { localId, idToken } = await signIn(index);
      expect(localId).toBe(account.uid);
      const { users } = await callAccounts(origin, 'lookup', { idToken });
      expect(users).toMatchObject([{ email: account.email, emailVerified: true }]);
    }
  });
});

describe('an identity emulator that is down', () => {
  it('requests to sign in, read the demo mailbox or open an e-mail link get a 503 while the identity emulator is down', async () => {
    await test.emulator.stop();
    const path = `${ACCOUNTS}:signInWithPassword?key=demo`;
    const answer = await post(path, { email: 'rafiq@shop.test', password: 'secret1' });
    expect([answer.status, await problemOf(answer)]).toEqual([503, 'identity_unavailable']);
    const mails = await fetch(`${origin}/demo-mailbox`);
    expect([mails.status, await problemOf(mails)]).toEqual([503, 'identity_unavailable']);
    await mailbox.announce();
    expect(printed.at(-1)).toMatch(/could not be read/);
    expect((await fetch(`${origin}/emulator/action?mode=verifyEmail&oobCode=0123456789`)).status).toBe(503);
  });
});
