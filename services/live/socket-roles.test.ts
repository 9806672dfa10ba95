import { describe, expect, it } from 'vitest';
import {
  admins,
  asked,
  callers,
  checkRolesEvery,
  connect,
  freshGateway,
  karim,
  publish,
  rahim,
  roles,
  untilSeen,
} from './live-gateway.fixture.ts';

freshGateway();

describe('live gateway', () => {
  it("LIVE3 a push about a user's new role moves the user's sockets to the rooms of that role and tells their clients to refetch", async () => {
    const customer = await connect({ token: 'rahim' });
    admins.add(rahim);
    publish('user', rahim, 2, [`user:${rahim}`]);
    await expect.poll(() => customer.resyncs).toEqual(['roles_changed']);
    publish('order', 'karims', 1, [`user:${karim}`, 'admins']);
    admins.delete(rahim);
    publish('user', rahim, 3, [`user:${rahim}`]);
    await expect.poll(() => customer.resyncs).toEqual(['roles_changed', 'roles_changed']);
    publish('order', 'karims-2', 1, [`user:${karim}`, 'admins']);
    expect(await untilSeen(customer.views)).toEqual([rahim, 'karims', rahim]);
  });

  it('LIVE3 a socket doesn’t keep a role that is revoked during its handshake', async () => {
    roles.afterRead = () => {
      roles.afterRead = () => {};
      admins.clear();
      publish('user', callers.boss ?? '', 2, [`user:${callers.boss}`]);
    };
    const former = await connect({ token: 'boss' });
    await expect.poll(() => former.resyncs).toEqual(['roles_changed']);
    publish('order', 'karims', 1, [`user:${karim}`, 'admins']);
    expect(await untilSeen(former.views)).toEqual([]);
  });

  it('LIVE3 the roles of connected users are read again periodically, even without a push', async () => {
    await checkRolesEvery(50);
    const former = await connect({ token: 'boss' });
    admins.clear();
    await expect.poll(() => former.resyncs).toEqual(['roles_changed']);
    publish('order', 'karims', 1, [`user:${karim}`, 'admins']);
    expect(await untilSeen(former.views)).toEqual([]);
  });

  it('LIVE3 a connection is authenticated only once', async () => {
    await Promise.all([connect({ token: 'rahim' }), connect({ token: 'boss' }), connect()]);
    await untilSeen((await connect({ token: 'karim' })).views);
    expect(asked.toSorted()).toEqual(['boss', 'karim', 'rahim']);
  });

  it('LIVE3 a role check reads roles in parallel, once per token, and never overlaps with another check', async () => {
    await checkRolesEvery(20);
    const tokens = ['rahim', 'rahim', 'karim', 'boss'];
    await Promise.all(tokens.map((token) => connect({ token })));
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    roles.afterRead = () => held;
    asked.length = 0;
    await expect.poll(() => asked.length).toBe(3);
    let periods = 0;
    const ticking = setInterval(() => {
      periods += 1;
    }, 20);
    await expect.poll(() => periods).toBeGreaterThan(5);
    clearInterval(ticking);
    expect(asked.toSorted()).toEqual(['boss', 'karim', 'rahim']);
    letGo();
    await expect.poll(() => asked.length).toBeGreaterThan(3);
  });

  it('LIVE3 a socket whose role cannot be read stays in its rooms, and the read is soon retried', async () => {
    const [admin, customer] = [await connect({ token: 'boss' }), await connect({ token: 'rahim' })];
    roles.afterRead = () => {
      throw new Error('The store does not answer.');
    };
    asked.length = 0;
    publish('user', callers.boss ?? '', 2, [`user:${callers.boss}`]);
    await expect.poll(() => asked.length).toBeGreaterThan(2);
    expect(roles.unread).toBeGreaterThan(0);
    publish('order', 'karims', 1, [`user:${karim}`, 'admins']);
    expect(await untilSeen(admin.views)).toEqual([callers.boss, 'karims']);
    expect([admin.client.connected, customer.client.connected]).toEqual([true, true]);
    // The admin role is revoked before roles can be read again.
    admins.clear();
    roles.afterRead = () => {};
    await expect.poll(() => admin.resyncs).toEqual(['roles_changed']);
    publish('order', 'karims-2', 1, [`user:${karim}`, 'admins']);
    await untilSeen(customer.views);
    expect(admin.views.map(({ id }) => id)).not.toContain('karims-2');
  });

  it('LIVE3 a failed read of a role is retried, even if an earlier failed read has already been retried successfully', async () => {
    const { resyncs } = await connect({ token: 'boss' });
    const fails = () => {
      throw new Error('The store does not answer.');
    };
    for (const role of ['admin', 'customer'] as const) {
      roles.afterRead = fails;
      roles.unread = 0;
      publish('user', callers.boss ?? '', role === 'admin' ? 2 : 3, [`user:${callers.boss}`]);
      await expect.poll(() => roles.unread).toBeGreaterThan(0);
      roles.afterRead = () => {};
      asked.length = 0;
      if (role === 'customer') admins.clear();
      await expect.poll(() => asked.length).toBeGreaterThan(0);
    }
    await expect.poll(() => resyncs).toEqual(['roles_changed']);
  });

  it('LIVE3 a socket is closed when its token expires, even if its role cannot be read', async () => {
    const { client } = await connect({ token: 'brief' });
    roles.afterRead = () => {
      throw new Error('The store does not answer.');
    };
    publish('user', rahim, 2, [`user:${rahim}`]);
    await expect.poll(() => client.connected).toBe(false);
  });

  it('LIVE3 if two reads of a socket’s role overlap, only the result of the read that started later is applied', async () => {
    const customer = await connect({ token: 'rahim' });
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    // The first read finds the role `customer` but is delayed, and the second read finishes first.
    roles.afterRead = () => held;
    asked.length = 0;
    publish('user', rahim, 2, [`user:${rahim}`]);
    await expect.poll(() => asked.length).toBe(1);
    admins.add(rahim);
    roles.afterRead = () => {};
    publish('user', rahim, 3, [`user:${rahim}`]);
    await expect.poll(() => customer.resyncs).toEqual(['roles_changed']);
    letGo();
    publish('order', 'karims', 1, [`user:${karim}`, 'admins']);
    expect(await untilSeen(customer.views)).toContain('karims');
    expect(customer.resyncs).toEqual(['roles_changed']);
  });

  it('LIVE3 a socket whose token has become invalid is disconnected by the next push about its user or by the periodic check', async () => {
    const rahims = callers.rahim ?? '';
    try {
      const pushed = await connect({ token: 'rahim' });
      callers.rahim = '';
      publish('user', rahims, 2, [`user:${rahims}`]);
      await expect.poll(() => pushed.client.connected).toBe(false);
      callers.rahim = rahims;
      await checkRolesEvery(20);
      const checked = await connect({ token: 'rahim' });
      callers.rahim = '';
      await expect.poll(() => checked.client.connected).toBe(false);
    } finally {
      callers.rahim = rahims;
    }
  });
});
