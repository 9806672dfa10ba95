import { describe, expect, it, vi } from 'vitest';
import {
  frame,
  live,
  openPages,
  push,
  received,
  restart,
  second,
  signIn,
  socket,
  store,
} from './live-socket.fixture.ts';

openPages();

describe('the live socket', () => {
  it('LIVE4 the live socket reports when it connects, disconnects and reconnects, and when the server is not live', () => {
    expect(live().state).toBe('connecting');
    socket.happens('connect');
    expect(live().state).toBe('live');
    socket.happens('live', { live: false });
    expect(live().state).toBe('not-live');
    socket.happens('live', { live: true });
    expect(live().state).toBe('live');
    socket.happens('disconnect', 'transport close');
    expect(live().state).toBe('not-live');
    socket.happens('connect');
    expect(live().state).toBe('live');
  });

  it("PACK1 the live socket stores who is packing which order, and skips messages that it can't parse", async () => {
    const clock = vi.spyOn(Date, 'now').mockReturnValue(1_000_000);
    const by = { id: 'b', name: 'Nadia' };
    socket.happens('packing', { order: 'o1', by, left: 120_000 });
    socket.happens('packing', { order: 'o1', by: 'Nadia' });
    await vi.waitFor(() => expect(live().packing).toEqual({ o1: { by, until: 1_120_000 } }));
    socket.happens('packing', { order: 'o1', by: null, left: null });
    await vi.waitFor(() => expect(live().packing).toEqual({ o1: { by: null, until: 1_000_000 } }));
    clock.mockRestore();
  });

  it.each([0, 125_000, -125_000])(
    "LIVE4 the lag is measured correctly even if the client's clock is %i ms ahead of the server's",
    (ahead) => {
      let here = 1_042 + ahead;
      restart(() => here);
      socket.happens('connect');
      socket.happens('view', push);
      second();
      expect(received()).toBe(2);
      expect(live().lagMs).toBe(10);
      // This push was sent 1,000 ms later than the first and took 300 ms longer to arrive.
      here += 1_300;
      socket.happens('view', { ...push, at: { appended: 1_990, projected: 2_000, pushed: 2_010 } });
      second();
      expect(live().lagMs).toBe(320);
      // This push arrives faster than any earlier push.
      here += 900;
      socket.happens('view', { ...push, at: { appended: 3_200, projected: 3_210, pushed: 3_225 } });
      second();
      expect(live().lagMs).toBe(25);
    },
  );

  it('LIVE4 if a connection closes before its handshake, the live socket reports this immediately and retries later', async () => {
    expect(live().state).toBe('connecting');
    socket.happens('engine close', 'transport close');
    expect(live().state).toBe('not-live');
    await vi.advanceTimersByTimeAsync(3_000);
    expect(socket.connects).toBe(2);
    socket.happens('connect');
    socket.happens('engine close', 'transport close');
    expect(live().state).toBe('live');
  });

  it('LIVE4 if a connection closes after its handshake, the live socket leaves reconnecting to socket.io, which is faster', async () => {
    socket.connected = true;
    socket.happens('connect');
    socket.connected = false;
    socket.happens('disconnect', 'transport close');
    socket.happens('engine close', 'transport close');
    expect(live().state).toBe('not-live');
    await vi.advanceTimersByTimeAsync(3_000);
    expect(socket.connects).toBe(1);
  });

  it.each([
    [
      'after a disconnection',
      () => {
        second();
        socket.happens('disconnect', 'transport close');
      },
    ],
    ['for another user while a push is queued', () => void store.dispatch(signIn('two'))],
  ])("LIVE4 the lag of a new connection made %s is measured only from the new connection's own pushes", (_, ends) => {
    let here = 1_010;
    restart(() => here);
    socket.happens('connect');
    socket.happens('view', push);
    ends();
    socket.happens('connect');
    // This push took 300 ms longer to arrive than the previous connection's push.
    here += 300;
    socket.happens('view', { ...push, version: 3 });
    second();
    expect(live().lagMs).toBe(10);
  });

  it("LIVE4 when the live socket can't parse a push, it drops the push and no longer claims to be live", () => {
    socket.happens('connect');
    socket.happens('view', { ...push, view: { _id: 'r1' } });
    frame();
    expect(received()).toBeUndefined();
    expect(live().state).toBe('not-live');
  });
});
