import { describe, expect, it } from 'vitest';
import {
  asked,
  checkRolesEvery,
  connect,
  freshGateway,
  karim,
  publish,
  rahim,
  refused,
  roles,
  tracked,
  trackedOrder,
  untilSeen,
} from './live-gateway.fixture.ts';

freshGateway();

describe('a tracking link', () => {
  const changeOrder = (id: string, version: number) => {
    tracked.link = trackedOrder(id, version);
    publish('order', id, version, [`user:${rahim}`, 'admins']);
  };

  it('TRACK4 LIVE1 a page with a tracking link receives the current state of its order, and no other pushes', async () => {
    const [tracker, customer] = [await connect({ tracking: 'link' }), await connect({ token: 'rahim' })];
    publish('product', 'p1', 1, ['everyone']);
    publish('order', 'karims', 2, [`user:${karim}`, 'admins']);
    changeOrder('rahims', 4);
    expect(await untilSeen(customer.views)).toEqual(['p1', 'rahims']);
    await expect.poll(() => tracker.views.length).toBe(1);
    expect(tracker.views).toEqual([
      {
        kind: 'tracking',
        id: 'rahims',
        version: 4,
        view: trackedOrder('rahims', 4),
        at: expect.objectContaining({ appended: 1 }),
      },
    ]);
    expect(customer.views.map(({ kind }) => kind)).not.toContain('tracking');
    expect(tracker.lives).toEqual([true]);
  });

  it('TRACK4 a changed order is read only once for all sockets that track the order, and is not read at all if there are none', async () => {
    await Promise.all([connect({ tracking: 'link' }), connect({ tracking: 'link' }), connect({ tracking: 'link' })]);
    asked.length = 0;
    const [visitor, tracker] = [await connect(), await connect({ tracking: 'link' })];
    asked.length = 0;
    publish('order', 'karims', 2, [`user:${karim}`, 'admins']);
    changeOrder('rahims', 4);
    await untilSeen(visitor.views);
    await expect.poll(() => tracker.views.length).toBe(1);
    expect(asked).toEqual(['link']);
  });

  it('TRACK2 when a tracking link is withdrawn, its socket gets a null view, is disconnected, and can’t connect again', async () => {
    const [tracker, other] = [await connect({ tracking: 'link' }), await connect({ tracking: 'other' })];
    delete tracked.link;
    publish('order', 'rahims', 4, [`user:${rahim}`, 'admins']);
    await expect.poll(() => tracker.client.connected).toBe(false);
    expect(tracker.views).toMatchObject([{ kind: 'tracking', id: 'rahims', version: 4, view: null }]);
    expect(other.client.connected).toBe(true);
    await expect(connect({ tracking: 'link' })).rejects.toThrow('unauthenticated');
    expect(refused).toEqual(['unauthenticated']);
  });

  it('TRACK2 the periodic check sends changes whose push was lost, and disconnects sockets whose tracking link has stopped working', async () => {
    await checkRolesEvery(20);
    const tracker = await connect({ tracking: 'link' });
    tracked.link = trackedOrder('rahims', 4);
    await expect.poll(() => tracker.views.map(({ version }) => version)).toEqual([4]);
    delete tracked.link;
    await expect.poll(() => tracker.client.connected).toBe(false);
  });

  it('TRACK4 LIVE2 a page with a tracking link receives a change that is made during its socket’s handshake', async () => {
    roles.afterRead = () => {
      roles.afterRead = () => {};
      changeOrder('rahims', 4);
    };
    const tracker = await connect({ tracking: 'link' });
    await expect.poll(() => tracker.views.map(({ version }) => version)).toEqual([4]);
  });

  it('TRACK4 a page with a tracking link stays connected while the store is down, and then receives the change that it missed', async () => {
    const tracker = await connect({ tracking: 'link' });
    roles.afterRead = () => {
      throw new Error('The store does not answer.');
    };
    changeOrder('rahims', 4);
    await expect.poll(() => roles.unread).toBeGreaterThan(0);
    expect(tracker.client.connected).toBe(true);
    roles.afterRead = () => {};
    await expect.poll(() => tracker.views.map(({ version }) => version)).toEqual([4]);
  });

  it('TRACK1 a handshake with both a tracking token and an access token is refused, and neither kind of token is accepted in place of the other', async () => {
    await expect(connect({ tracking: 'link', token: 'rahim' })).rejects.toThrow('malformed');
    await expect(connect({ tracking: '' })).rejects.toThrow('malformed');
    await expect(connect({ tracking: 'rahim' })).rejects.toThrow('unauthenticated');
    await expect(connect({ token: 'link' })).rejects.toThrow('unauthenticated');
  });
});
