import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { broadcastContract } from '../../engine/projector/broadcast.contract.ts';
import { type BroadcastProcesses, broadcastProcesses, listenTo, PATIENCE, pushOf } from './redis-broadcast.fixture.ts';

const STEADY = { silenceMs: 5_000, forgetMs: 10_000, commandTimeoutMs: 2_000 };

broadcastContract('over Redis', async () => {
  const processes = broadcastProcesses(inject('servers').redisUrl);
  return { join: () => processes.publisher(STEADY), dispose: processes.dispose };
});

describe('Redis broadcast: missed messages', () => {
  let processes: BroadcastProcesses;
  beforeEach(() => {
    processes = broadcastProcesses(inject('servers').redisUrl);
  });
  afterEach(() => processes.dispose());

  it('LIVE5 a gap in the push numbers is reported immediately, and the message after the gap is still delivered', async () => {
    const hand = processes.hand();
    await processes.publisher(STEADY);
    const listener = await listenTo(processes.subscriber(STEADY));
    await listener.untilTold([true]);
    const say = (n: number) =>
      hand.publish(processes.channel, JSON.stringify({ type: 'push', from: 'hand', n, ...pushOf('p', n) }));
    await say(1);
    await say(2);
    await expect.poll(() => listener.seen, PATIENCE).toEqual(['p 1', 'p 2']);
    expect(listener.lives).toEqual([true]);
    await say(4);
    await expect.poll(() => listener.seen, PATIENCE).toEqual(['p 1', 'p 2', 'p 4']);
    expect(listener.lives).toEqual([true, false, true]);
  });

  it("LIVE5 if a publisher's last message was missed, the publisher's next heartbeat reveals the gap", async () => {
    const hand = processes.hand();
    await processes.publisher(STEADY);
    const listener = await listenTo(processes.subscriber(STEADY));
    await listener.untilTold([true]);
    const say = (n: number) => hand.publish(processes.channel, JSON.stringify({ type: 'beat', from: 'hand', n }));
    await say(0);
    await say(0);
    await say(1);
    await listener.untilTold([true, false, true]);
  });

  it('LIVE5 a subscriber is not live without a publisher, even if there are other subscribers', async () => {
    const [one, two] = [await listenTo(processes.subscriber()), await listenTo(processes.subscriber())];
    const publisher = await processes.publisher();
    await one.untilTold([true]);
    await two.untilTold([true]);
    await publisher.close();
    await one.untilTold([true, false]);
  });

  it('LIVE5 a closed publisher says goodbye after its last message, and publishes nothing more', async () => {
    const [ear, hand] = [processes.hand(), processes.hand()];
    const said: string[] = [];
    ear.on('message', (_channel, text) => said.push(text));
    await ear.subscribe(processes.channel);
    const publisher = await processes.publisher({ ...STEADY, newId: () => 'leaving' });
    publisher.publish(pushOf('last', 1));
    const closed = publisher.close();
    publisher.publish(pushOf('late', 1));
    await closed;
    await hand.publish(processes.channel, 'end');
    await expect.poll(() => said.at(-1), PATIENCE).toBe('end');
    expect(said.at(-2)).toBe('{"type":"goodbye","from":"leaving","n":1}');
    expect(said.at(-3)).toContain('"n":1,"push":{"kind":"review","id":"last"');
  });

  it('LIVE5 after a publisher has died, a subscriber is live again within a bounded time', async () => {
    await processes.publisher();
    const listener = await listenTo(processes.subscriber());
    await listener.untilTold([true]);
    // This publisher sends only one heartbeat, when it connects.
    await processes.publisher({ every: () => () => {} });
    await listener.untilTold([true, false]);
    await listener.untilTold([true, false, true]);
  });

  it('LIVE5 an unreadable message is skipped, reported without its text, and counted as missed', async () => {
    const hand = processes.hand();
    await processes.publisher(STEADY);
    const listener = await listenTo(processes.subscriber(STEADY));
    await listener.untilTold([true]);
    const review = { ...pushOf('p', 1), audiences: ['hush'] };
    for (const text of ['', '{', '"hush"', JSON.stringify({ type: 'push', from: 'hand', n: 1, ...review })]) {
      await hand.publish(processes.channel, text);
    }
    await hand.publish(processes.channel, JSON.stringify({ type: 'push', from: 'hand', n: 2, ...pushOf('p', 2) }));
    await expect.poll(() => listener.seen, PATIENCE).toEqual(['p 2']);
    expect(listener.lives).toEqual([true, false, true]);
    expect(processes.errors).toHaveLength(4);
    expect(processes.errors.map(({ message }) => message).join()).not.toContain('hush');
  });
});
