import { describe, expect, it } from 'vitest';
import type { ViewPush } from '../contracts/pushes.ts';
import {
  at,
  broadcast,
  connect,
  freshGateway,
  gateway,
  publish,
  publishStock,
  rahim,
  refused,
  sampleView,
  untilSeen,
} from './live-gateway.fixture.ts';

freshGateway();

describe('live gateway', () => {
  it('LIVE6 a burst of stock changes is sent as one push per product, with the latest stock, and a push of an order is sent ahead of them', async () => {
    const [visitor, admin] = await Promise.all([connect(), connect({ token: 'boss' })]);
    for (let version = 1; version <= 300; version += 1) {
      publishStock('rushed', version);
      publishStock(`other${version % 40}`, version);
    }
    publish('order', 'rahims', 1, [`user:${rahim}`, 'admins']);
    const last = (views: readonly ViewPush[]) => views.findLast(({ id }) => id === 'rushed')?.version;
    await expect.poll(() => [last(visitor.views), last(admin.views)]).toEqual([300, 300]);
    expect(admin.views[0]).toMatchObject({ kind: 'order', id: 'rahims' });
    expect(visitor.views).toHaveLength(41);
    expect(new Set(visitor.views.map(({ id }) => id)).size).toBe(41);
    expect(visitor.views.every(({ at }) => at.pushed >= 3 && at.appended === 1)).toBe(true);
  });

  it('LIVE6 LIVE4 a socket that falls behind is told that it is not live and is dropped, without delaying other sockets', async () => {
    const [slow, quick] = [await connect(), await connect()];
    const { ws } = slow.client.io.engine.transport as unknown as { ws: { pause(): void; resume(): void } };
    ws.pause();
    const large = { ...sampleView, description: 'ত'.repeat(30_000) };
    let version = 0;
    while (gateway.sockets() > 1) {
      version += 1;
      broadcast.publish({
        push: { kind: 'product', id: 'large', version, view: { ...large, version }, at },
        audiences: ['everyone'],
      });
      await expect.poll(() => quick.views.at(-1)?.version, { interval: 1 }).toBe(version);
    }
    expect(refused).toEqual(['too_slow']);
    ws.resume();
    await expect.poll(() => slow.client.connected).toBe(false);
    expect(slow.lives).toEqual([true, false]);
    publish('review', 'after', 1, ['everyone']);
    expect((await untilSeen(quick.views)).slice(version)).toEqual(['after']);
    expect(slow.views.map(({ id }) => id)).not.toContain('after');
    expect([quick.lives, quick.client.connected]).toEqual([[true], true]);
  });

  it('LIVE6 a socket that keeps up is not dropped because of one large burst', async () => {
    const visitor = await connect();
    const large = { ...sampleView, description: 'x'.repeat(70_000) };
    for (let version = 1; version <= 50; version += 1) {
      const push = { kind: 'product', id: `p${version}`, version, view: { ...large, version }, at } as const;
      broadcast.publish({ push, audiences: ['everyone'] });
    }
    expect(await untilSeen(visitor.views)).toHaveLength(50);
    expect(refused).toEqual([]);
  });
});
