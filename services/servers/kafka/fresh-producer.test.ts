import { beforeEach, describe, expect, it } from 'vitest';
import { createFreshProducer, type SequencedProducer } from './fresh-producer.ts';

interface FakeProducer {
  readonly number: number;
  readonly sends: { message: string; resolve: (reply: string) => void; reject: (error: Error) => void }[];
  disconnects: number;
}

describe('fresh producer', () => {
  let producers: FakeProducer[];
  let refuse: boolean;
  let fresh: SequencedProducer<string, string>;
  beforeEach(() => {
    producers = [];
    refuse = false;
    fresh = createFreshProducer(async () => {
      if (refuse) throw new Error('no broker');
      const producer: FakeProducer = { number: producers.length, sends: [], disconnects: 0 };
      producers.push(producer);
      return {
        send: (message) => new Promise((resolve, reject) => producer.sends.push({ message, resolve, reject })),
        async disconnect() {
          producer.disconnects += 1;
        },
      };
    });
  });

  const sendsOf = (producer: number) => producers[producer]?.sends.map(({ message }) => message) ?? [];
  const begun = (producer: number, count: number) => expect.poll(() => sendsOf(producer).length).toBe(count);

  it('FEED1 one producer is used as long as every send succeeds', async () => {
    for (const message of ['a', 'b']) {
      const sent = fresh.send(message);
      await begun(0, message === 'a' ? 1 : 2);
      producers[0]?.sends.at(-1)?.resolve('written');
      expect(await sent).toBe('written');
    }
    expect(producers).toHaveLength(1);
  });

  it('FEED1 a producer is replaced after a failed send, and is disconnected once its other sends have ended', async () => {
    const [failing, other] = [fresh.send('failing'), fresh.send('other')];
    await begun(0, 2);
    producers[0]?.sends[0]?.reject(new Error('no answer'));
    await expect(failing).rejects.toThrow('no answer');
    const next = fresh.send('next');
    await begun(1, 1);
    expect(producers[0]?.disconnects).toBe(0);
    producers[0]?.sends[1]?.resolve('written');
    expect(await other).toBe('written');
    await expect.poll(() => producers[0]?.disconnects).toBe(1);
    producers[1]?.sends[0]?.resolve('written');
    expect(await next).toBe('written');
    expect(producers[1]?.disconnects).toBe(0);
  });

  it('FEED1 a producer is replaced only once, even if several of its sends fail', async () => {
    const sending = [fresh.send('a'), fresh.send('b')];
    await begun(0, 2);
    for (const { reject } of producers[0]?.sends ?? []) reject(new Error('no answer'));
    await Promise.allSettled(sending);
    void fresh.send('c');
    void fresh.send('d');
    await begun(1, 2);
    expect(producers).toHaveLength(2);
  });

  it('FEED1 after a connection attempt has failed, the next send connects again', async () => {
    refuse = true;
    await expect(fresh.send('a')).rejects.toThrow('no broker');
    refuse = false;
    void fresh.send('b');
    await begun(0, 1);
  });

  it('FEED1 each producer is disconnected only once, even if it was replaced before disconnect() was called', async () => {
    const failing = fresh.send('failing');
    await begun(0, 1);
    producers[0]?.sends[0]?.reject(new Error('no answer'));
    await expect(failing).rejects.toThrow('no answer');
    await expect.poll(() => producers[0]?.disconnects).toBe(1);
    void fresh.send('next');
    await begun(1, 1);
    await fresh.disconnect();
    expect(producers.map(({ disconnects }) => disconnects)).toEqual([1, 1]);
  });

  it('disconnect() disconnects the current producer, and later sends are rejected', async () => {
    void fresh.send('a');
    await begun(0, 1);
    await fresh.disconnect();
    expect(producers[0]?.disconnects).toBe(1);
    await expect(fresh.send('b')).rejects.toThrow('The producer is closed.');
  });
});
