import { afterEach, expect, it } from 'vitest';
import type { RateLimit, RateLimitSettings } from './rate-limit.ts';

export interface RateLimitUnderTest {
  readonly rateLimit: RateLimit;
  /** lets this much time pass */
  readonly pass: (milliseconds: number) => Promise<void>;
}

/** What every adapter of RateLimit does. */
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

  it('lets a burst in and refuses what comes beyond it', async () => {
    const { rateLimit } = await given({ burst: 5, perSecond: 0.01 });
    expect(await allowedOf(rateLimit, 'a', 8)).toBe(5);
  });

  it('counts each key by itself', async () => {
    const { rateLimit } = await given({ burst: 2, perSecond: 0.01 });
    expect(await allowedOf(rateLimit, 'a', 3)).toBe(2);
    expect(await allowedOf(rateLimit, 'b', 3)).toBe(2);
  });

  it('lets the next one in after the time that it named, and not much sooner', async () => {
    const { rateLimit, pass } = await given({ burst: 1, perSecond: 2 });
    const begun = performance.now();
    expect(await rateLimit.take('a')).toEqual({ allowed: true });
    const refused = await rateLimit.take('a');
    if (refused.allowed) throw new Error('The second request of a burst of one was let in.');
    // Time that passes on a busy machine, where the adapter's clock is a real one, shortens the wait.
    expect(refused.retryAfterMs).toBeGreaterThan(400 - (performance.now() - begun));
    expect(refused.retryAfterMs).toBeLessThanOrEqual(500);
    await pass(refused.retryAfterMs);
    expect(await rateLimit.take('a')).toEqual({ allowed: true });
  });

  it('RATE1 gives back one request at a time after a burst', async () => {
    const { rateLimit, pass } = await given({ burst: 5, perSecond: 0.5 });
    const begun = performance.now();
    expect(await allowedOf(rateLimit, 'a', 5)).toBe(5);
    await pass(2_100);
    const allowed = await allowedOf(rateLimit, 'a', 8);
    expect(allowed).toBeGreaterThanOrEqual(1);
    // Time that passes on a busy machine gives back more.
    expect(allowed).toBeLessThanOrEqual(1 + Math.ceil(Math.max(0, performance.now() - begun - 2_100) / 2_000));
  });

  it('saves up no more than a burst', async () => {
    const { rateLimit, pass } = await given({ burst: 3, perSecond: 5 });
    expect(await allowedOf(rateLimit, 'a', 3)).toBe(3);
    await pass(2000);
    const begun = performance.now();
    const allowed = await allowedOf(rateLimit, 'a', 8);
    // On a busy machine, where the adapter's clock is a real one, more of them come while the requests are made.
    const meanwhile = Math.floor((performance.now() - begun) / 200);
    expect(allowed).toBeGreaterThanOrEqual(3);
    expect(allowed).toBeLessThanOrEqual(3 + meanwhile);
  });
}
