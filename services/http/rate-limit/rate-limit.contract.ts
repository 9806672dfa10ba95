import { afterEach, expect, it } from 'vitest';
import type { RateLimit, RateLimitSettings } from './rate-limit.ts';

export interface RateLimitUnderTest {
  readonly rateLimit: RateLimit;
  /** advances the rate limiter's clock by this many milliseconds */
  readonly pass: (milliseconds: number) => Promise<void>;
}

/** Defines the tests that every adapter of RateLimit has to pass. */
export function rateLimitContract(create: (settings: RateLimitSettings) => Promise<RateLimitUnderTest>): void {
  const open: RateLimit[] = [];
  afterEach(async () => {
    for (const rateLimit of open.splice(0)) await rateLimit.close();
  });

  async function given(settings: RateLimitSettings): Promise<RateLimitUnderTest> {
    const subject = await create(settings);
    open.push(subject.rateLimit);
    return subject;
  }

  async function allowedOf(rateLimit: RateLimit, key: string, requests: number): Promise<number> {
    let allowed = 0;
    for (let request = 0; request < requests; request += 1) {
      if ((await rateLimit.take(key)).allowed) allowed += 1;
    }
    return allowed;
  }

  it('requests up to the burst limit are admitted, and further requests are refused', async () => {
    const { rateLimit } = await given({ burst: 5, perSecond: 0.01 });
    expect(await allowedOf(rateLimit, 'a', 8)).toBe(5);
  });

  it('each key is limited separately', async () => {
    const { rateLimit } = await given({ burst: 2, perSecond: 0.01 });
    expect(await allowedOf(rateLimit, 'a', 3)).toBe(2);
    expect(await allowedOf(rateLimit, 'b', 3)).toBe(2);
  });

  it('a refusal states how many milliseconds remain until the next request is admitted', async () => {
    const { rateLimit, pass } = await given({ burst: 1, perSecond: 2 });
    const begun = performance.now();
    expect(await rateLimit.take('a')).toEqual({ allowed: true });
    const refused = await rateLimit.take('a');
    if (refused.allowed) throw new Error('The second request was admitted, although the burst limit is 1.');
    // If the adapter uses a real clock, part of the wait has already passed since the first request.
    expect(refused.retryAfterMs).toBeGreaterThan(400 - (performance.now() - begun));
    expect(refused.retryAfterMs).toBeLessThanOrEqual(500);
    await pass(refused.retryAfterMs);
    expect(await rateLimit.take('a')).toEqual({ allowed: true });
  });

  it('RATE1 after a burst, one request is admitted per refill interval', async () => {
    const { rateLimit, pass } = await given({ burst: 5, perSecond: 0.5 });
    const begun = performance.now();
    expect(await allowedOf(rateLimit, 'a', 5)).toBe(5);
    await pass(2_100);
    const allowed = await allowedOf(rateLimit, 'a', 8);
    expect(allowed).toBeGreaterThanOrEqual(1);
    // If the adapter uses a real clock and the machine is busy, tokens may be refilled while these requests are
    // handled, so additional requests may be allowed.
    expect(allowed).toBeLessThanOrEqual(1 + Math.ceil(Math.max(0, performance.now() - begun - 2_100) / 2_000));
  });

  it('a key that has sent no requests for a while can send at most one burst', async () => {
    const { rateLimit, pass } = await given({ burst: 3, perSecond: 5 });
    expect(await allowedOf(rateLimit, 'a', 3)).toBe(3);
    await pass(2000);
    const begun = performance.now();
    const allowed = await allowedOf(rateLimit, 'a', 8);
    // If the adapter uses a real clock and the machine is busy, tokens may be refilled while these requests are
    // handled, so additional requests may be allowed.
    const meanwhile = Math.floor((performance.now() - begun) / 200);
    expect(allowed).toBeGreaterThanOrEqual(3);
    expect(allowed).toBeLessThanOrEqual(3 + meanwhile);
  });
}
