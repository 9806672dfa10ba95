import { io } from 'socket.io-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RATE } from '../http/rate-limit/rate-limit.ts';
import { type LightShop, startLightShop } from './light-shop.fixture.ts';
import { call } from './shop-client.fixture.ts';
import { freshDataDir } from './shop-process.fixture.ts';

const data = freshDataDir();
let shop: LightShop;
beforeAll(async () => {
  shop = await startLightShop(data.path, { rateLimit: true });
});
afterAll(async () => {
  await shop.stop();
  data.remove();
});

/** Sends more requests at once than the limit allows, and returns the number of responses with each status. */
async function flood(method: string, path: string): Promise<Map<number, number>> {
  const answers = await Promise.all(Array.from({ length: RATE.burst * 3 }, () => call(shop.url, method, path)));
  const counts = new Map<number, number>();
  for (const { status } of answers) counts.set(status, (counts.get(status) ?? 0) + 1);
  return counts;
}

/** Opens a WebSocket connection and returns whether it was admitted. */
function connects(): Promise<boolean> {
  const client = io(shop.url, { transports: ['websocket'], reconnection: false, forceNew: true });
  return new Promise((resolve) => {
    client.once('connect', () => resolve(true));
    client.once('connect_error', () => resolve(false));
  }).then((connected) => {
    client.disconnect();
    return connected as boolean;
  });
}

describe('rate limiting in the whole shop', () => {
  it('RATE1 a client that sends too many requests gets a 429 with a Retry-After header on every route', async () => {
    // Few of these requests go to /reviews, but requests to /products count towards the same limit.
    const paths = Array.from({ length: RATE.burst * 3 }, (_, n) => (n % 20 === 19 ? '/reviews' : '/products'));
    const answers = await Promise.all(paths.map((path) => call(shop.url, 'GET', path)));
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(RATE.burst);
    const refusedAt = (path: string) => answers.find(({ status }, n) => status === 429 && paths[n] === path);
    for (const refused of [refusedAt('/products'), refusedAt('/reviews')]) {
      expect(refused).toMatchObject({ body: { code: 'too_many_requests' } });
      expect(refused?.headers.get('retry-after')).toBe('1');
    }
  });

  it('RATE1 health and readiness probes get a 200 while other requests from the same address are refused', async () => {
    const probe = (path: string) => call(shop.url, 'GET', path);
    const [visits, ...probes] = await Promise.all([flood('GET', '/products'), probe('/healthz'), probe('/readyz')]);
    expect(visits.get(429)).toBeGreaterThan(0);
    expect(probes.map(({ status }) => status)).toEqual([200, 200]);
  });

  it.each(['/webhooks/stripe', '/demo-stripe/v1/payment_intents', '/emulator/action'])(
    'RATE1 requests to %s count toward the rate limit',
    async (path) => {
      expect((await flood('POST', path)).get(429)).toBeGreaterThan(0);
    },
  );

  it('RATE1 socket handshakes count toward the rate limit', async () => {
    // On a slow machine, the budget may refill while a wave of sockets connects. The test therefore sends waves until a
    // handshake is refused.
    let admitted = 0;
    for (let wave = 0, refused = 0; refused === 0; wave += 1) {
      expect(wave, 'waves without a refusal').toBeLessThan(5);
      const connected = await Promise.all(Array.from({ length: RATE.burst * 3 }, connects));
      admitted += connected.filter(Boolean).length;
      refused = connected.filter((one) => !one).length;
    }
    expect(admitted).toBeGreaterThanOrEqual(RATE.burst);
  });
});
