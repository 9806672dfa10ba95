import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { DEMO_ACCOUNTS } from '../demo/identity/demo-accounts.ts';
import { repetitions } from './long-run.fixture.ts';
import { call } from './shop-client.fixture.ts';
import { freshDataDir, startShopProcess } from './shop-process.fixture.ts';

/** The number of startups. Every second startup reuses the data of the startup before it. */
const STARTS = repetitions({ few: 2, many: 40 });
const START_MS = 60_000;

async function freePort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return String(typeof address === 'object' ? address?.port : 0);
}

const accounts = (url: string, name: string, body: object) =>
  call(url, 'POST', `/identitytoolkit.googleapis.com/v1/accounts:${name}?key=demo`, { body });

/** Resolves once `/readyz` returns 200. */
async function readyAt(url: string): Promise<void> {
  const status = () =>
    call(url, 'GET', '/readyz').then(
      (answer) => answer.status,
      () => 0,
    );
  await expect.poll(status, { timeout: START_MS, interval: 5 }).toBe(200);
}

/**
 * Starts a shop. Sends a sign-up and a sign-in as soon as `/readyz` returns 200, and both again as soon as the shop
 * prints `ready`. Returns the statuses of the four responses.
 */
async function startAndSignIn(dataDir: string, newcomer: string): Promise<Record<string, number>> {
  const port = await freePort();
  const starting = startShopProcess(dataDir, { PORT: port, DEMO_DATA: '0' });
  // If startup fails, `await starting` below reports the failure.
  starting.catch(() => undefined);
  const { email, password } = DEMO_ACCOUNTS[1];
  const both = async (url: string, name: string) => {
    const [up, into] = await Promise.all([
      accounts(url, 'signUp', { email: name, password: 'a long enough one' }),
      accounts(url, 'signInWithPassword', { email, password }),
    ]);
    return { signUp: up.status, signIn: into.status };
  };
  const url = `http://127.0.0.1:${port}`;
  const probed = readyAt(url).then(() => both(url, `probed-${newcomer}`));
  const said = starting.then((shop) => both(shop.url, newcomer));
  try {
    const [first, second] = await Promise.all([probed, said]);
    return { ...first, signUpAtLine: second.signUp, signInAtLine: second.signIn };
  } finally {
    await (await starting).stop();
  }
}

it(
  `AUTH4 in each of ${STARTS} startups, half of them with existing data, users can sign up and sign in as soon as the shop reports that it is ready`,
  async () => {
    const answers: Record<string, number>[] = [];
    for (let start = 0; start < STARTS; start += 2) {
      const data = freshDataDir();
      try {
        answers.push(await startAndSignIn(data.path, 'first@shop.test'));
        answers.push(await startAndSignIn(data.path, 'second@shop.test'));
      } finally {
        data.remove();
      }
    }
    const good = { signUp: 200, signIn: 200, signUpAtLine: 200, signInAtLine: 200 };
    expect(answers).toEqual(Array.from({ length: STARTS }, () => good));
  },
  STARTS * START_MS,
);
