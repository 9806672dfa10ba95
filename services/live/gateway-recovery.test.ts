import { describe, expect, it } from 'vitest';
import { announce, connect, freshGateway, start, stop, subscriptions, untilSeen } from './live-gateway.fixture.ts';

freshGateway();

describe('live gateway', () => {
  it('LIVE5 sockets are told when the broadcast may be losing pushes, and are told to refetch once it has recovered', async () => {
    const visitor = await connect();
    await expect.poll(() => visitor.lives).toEqual([true]);
    announce.live(false);
    await expect.poll(() => visitor.lives).toEqual([true, false]);
    const late = await connect();
    await expect.poll(() => late.lives).toEqual([false]);
    expect(visitor.resyncs).toEqual([]);
    announce.live(true);
    await expect.poll(() => [visitor.lives.at(-1), visitor.resyncs]).toEqual([true, ['recovered']]);
    await expect.poll(() => late.resyncs).toEqual(['recovered']);
  });

  it('LIVE5 two gaps in the broadcast in quick succession cause only one resync', async () => {
    const visitor = await connect();
    await expect.poll(() => visitor.lives).toEqual([true]);
    for (const live of [false, true, false, true]) announce.live(live);
    await expect.poll(() => visitor.resyncs).toEqual(['recovered']);
    await untilSeen(visitor.views);
    expect([visitor.lives, visitor.resyncs]).toEqual([[true, false, false, true], ['recovered']]);
  });

  it('LIVE5 a closed gateway no longer listens to the broadcast, whether or not the broadcast is live', async () => {
    for (const live of [true, false]) {
      expect(subscriptions).toBe(1);
      announce.live(live);
      await stop();
      expect(subscriptions, `live: ${live}`).toBe(0);
      await start();
    }
  });

  it('LIVE5 sockets are not told of a recovery of the broadcast that is followed by another gap at once', async () => {
    const visitor = await connect();
    await expect.poll(() => visitor.lives).toEqual([true]);
    for (const live of [false, true, false]) announce.live(live);
    await expect.poll(() => visitor.lives).toEqual([true, false, false]);
    await untilSeen(visitor.views);
    expect(visitor.resyncs).toEqual([]);
    announce.live(true);
    await expect.poll(() => visitor.resyncs).toEqual(['recovered']);
    expect(visitor.lives).toEqual([true, false, false, true]);
  });
});
