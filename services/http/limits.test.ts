import express from 'express';
import { describe, expect, it } from 'vitest';
import { createMemoryRateLimit } from './rate-limit/memory-rate-limit.ts';
import { testShops } from './test-shop.fixture.ts';

const open = testShops();

describe('limits', () => {
  it('RATE1 each address in X-Forwarded-For is rate-limited separately if a trusted proxy sent the header, and otherwise the header is ignored', async () => {
    const statusesOf = async (trustedProxies: number) => {
      const shop = await open(({ settings, clock }) => ({
        settings: { ...settings, trustedProxies },
        rateLimit: createMemoryRateLimit({ burst: 1, perSecond: 0.1, clock }),
      }));
      const from = async (address: string) =>
        (await fetch(`${shop.url}/products`, { headers: { 'x-forwarded-for': address } })).status;
      return [await from('203.0.113.7'), await from('203.0.113.8'), await from('203.0.113.7')];
    };
    expect(await statusesOf(1)).toEqual([200, 200, 429]);
    expect(await statusesOf(0)).toEqual([200, 429, 429]);
  });

  it('RATE1 a client that sends too many requests gets a 429 with Retry-After, and other clients are not affected', async () => {
    const shop = await open(({ clock }) => ({
      rateLimit: createMemoryRateLimit({ burst: 6, perSecond: 0.5, clock }),
    }));
    const rumi = await shop.signIn('rumi@shop.test');
    const mina = await shop.signIn('mina@shop.test');
    const path = `/users/${rumi.email}`;
    for (let call = 0; call < 6; call += 1) expect((await rumi.call('GET', path)).status).toBe(200);
    const refused = await rumi.call('GET', path);
    expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_requests' } });
    expect(refused.headers.get('retry-after')).toBe('2');
    expect((await mina.call('GET', `/users/${mina.email}`)).status).toBe(200);
    shop.advance(2000);
    expect((await rumi.call('GET', path)).status).toBe(200);
  });

  it('requests with guessed tokens are rate-limited by IP address', async () => {
    const shop = await open(({ clock }) => ({
      rateLimit: createMemoryRateLimit({ burst: 3, perSecond: 0.1, clock }),
    }));
    const statuses: number[] = [];
    for (let call = 0; call < 5; call += 1) {
      statuses.push((await shop.call('GET', '/users', { token: `guess-${call}` })).status);
    }
    expect(statuses).toEqual([401, 401, 401, 429, 429]);
  });

  it('while the shop is stopping, commands get a 503 and reads still work', async () => {
    const shop = await open(() => ({ isDraining: () => true }));
    const answer = await shop.call('POST', '/orders');
    expect(answer).toMatchObject({ status: 503, body: { code: 'shutting_down' } });
    expect((await shop.call('GET', '/products')).status).toBe(200);
  });

  it('a router that reads the raw body runs before the API parses the body', async () => {
    const router = express.Router();
    router.post('/orders', express.raw({ type: () => true }), (request, response) => {
      response.send(String(Buffer.isBuffer(request.body)));
    });
    const shop = await open(() => ({ edge: [router] }));
    expect((await shop.call('POST', '/orders', { body: {} })).body).toBe('true');
  });
});
