import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { orderView, productView, reviewView, userView } from '../../shop/views.ts';
import { sampleOrder, sampleProduct, sampleReview, sampleUser } from '../read-models/sample-documents.fixture.ts';
import type { Broadcast, PushMessage } from './broadcast.ts';

export interface BroadcastHarness {
  /** One more process on the same broadcast; where all stand in one process, that one again. */
  join(): Promise<Broadcast>;
  /** Closes every one that joined. */
  dispose(): Promise<void>;
}

const PATIENCE = { timeout: 10_000, interval: 5 };
const at = { appended: 1_767_225_600_000, projected: 1_767_225_600_007, pushed: 1_767_225_600_009 };

/** A push of every kind, one of what left the lists, and signs beyond ASCII. */
function pushesOfEveryKind(): PushMessage[] {
  const [order, product] = [sampleOrder({ address: '৭ লেক রোড' }), sampleProduct({ description: '“৳” & \\u0000 🚀' })];
  const [user, review] = [sampleUser(), sampleReview()];
  return [
    { push: { kind: 'order', id: order.id, version: 1, view: orderView(order), at }, audiences: ['user:a', 'admins'] },
    {
      push: { kind: 'product', id: product.id, version: 2, view: productView(product), at },
      audiences: ['everyone'],
      paced: true,
    },
    { push: { kind: 'user', id: user.id, version: 3, view: userView(user), at }, audiences: [`user:${user.id}`] },
    { push: { kind: 'review', id: review.id, version: 4, view: reviewView(review), at }, audiences: ['everyone'] },
    { push: { kind: 'order', id: order.id, version: 5, view: null, at }, audiences: [] },
  ];
}

function numbered(id: string, version: number): PushMessage {
  return { push: { kind: 'review', id, version, view: null, at }, audiences: ['everyone'] };
}

/** All that one subscriber is told. */
async function listen(broadcast: Broadcast) {
  const messages: PushMessage[] = [];
  const lives: boolean[] = [];
  const unsubscribe = await broadcast.subscribe({
    message: (message) => messages.push(message),
    live: (live) => lives.push(live),
  });
  const versionsOf = (id: string) => messages.filter(({ push }) => push.id === id).map(({ push }) => push.version);
  return { messages, lives, unsubscribe, versionsOf };
}

async function listenLive(broadcast: Broadcast) {
  const listener = await listen(broadcast);
  await expect.poll(() => listener.lives, PATIENCE).toEqual([true]);
  return listener;
}

const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

/** What every adapter of Broadcast does while nothing fails. */
export function broadcastContract(adapter: string, start: () => Promise<BroadcastHarness>): void {
  describe(`Broadcast: ${adapter}`, () => {
    let harness: BroadcastHarness;
    beforeEach(async () => {
      harness = await start();
    });
    afterEach(() => harness.dispose());

    it('LIVE5 a subscriber is told once that messages flow, with nothing published yet', async () => {
      const publisher = await harness.join();
      const listener = await listenLive(await harness.join());
      publisher.publish(numbered('one', 1));
      await expect.poll(() => listener.versionsOf('one'), PATIENCE).toEqual([1]);
      expect(listener.lives).toEqual([true]);
    });

    it('LIVE1 a message of every kind arrives whole at every subscriber', async () => {
      const publisher = await harness.join();
      const listeners = await Promise.all(
        [await harness.join(), await harness.join(), publisher].map((broadcast) => listenLive(broadcast)),
      );
      const sent = pushesOfEveryKind();
      for (const message of sent) publisher.publish(message);
      for (const { messages } of listeners) await expect.poll(() => messages, PATIENCE).toEqual(sent);
    });

    it('LIVE1 the messages of each publisher arrive once, in its order, whoever else publishes', async () => {
      const publishers = [await harness.join(), await harness.join(), await harness.join()];
      const listener = await listenLive(await harness.join());
      for (const version of upTo(300)) {
        for (const [index, publisher] of publishers.entries()) publisher.publish(numbered(`of-${index}`, version));
      }
      for (const index of publishers.keys()) {
        await expect.poll(() => listener.versionsOf(`of-${index}`), PATIENCE).toEqual(upTo(300));
      }
    });

    it('a subscriber gets nothing once it has unsubscribed, and the others go on', async () => {
      const publisher = await harness.join();
      const subscriber = await harness.join();
      const [leaving, staying] = [await listenLive(subscriber), await listenLive(subscriber)];
      publisher.publish(numbered('before', 1));
      await expect.poll(() => leaving.versionsOf('before'), PATIENCE).toEqual([1]);
      leaving.unsubscribe();
      publisher.publish(numbered('after', 1));
      await expect.poll(() => staying.versionsOf('after'), PATIENCE).toEqual([1]);
      expect(leaving.messages).toHaveLength(1);
    });

    it('LIVE5 one that subscribes later is told that messages flow, and gets what follows alone', async () => {
      const publisher = await harness.join();
      const subscriber = await harness.join();
      const first = await listenLive(subscriber);
      publisher.publish(numbered('early', 1));
      await expect.poll(() => first.versionsOf('early'), PATIENCE).toEqual([1]);
      const second = await listenLive(subscriber);
      publisher.publish(numbered('late', 1));
      await expect.poll(() => second.versionsOf('late'), PATIENCE).toEqual([1]);
      expect(second.messages).toHaveLength(1);
      expect(first.lives).toEqual([true]);
    });

    it('closed it tells its subscribers nothing more, and takes what is published for nothing', async () => {
      const [publisher, subscriber] = [await harness.join(), await harness.join()];
      const listener = await listenLive(subscriber);
      publisher.publish(numbered('before', 1));
      await expect.poll(() => listener.versionsOf('before'), PATIENCE).toEqual([1]);
      await subscriber.close();
      publisher.publish(numbered('after', 1));
      subscriber.publish(numbered('after', 2));
      await publisher.close();
      await subscriber.close();
      expect(listener.messages).toHaveLength(1);
      expect(listener.lives).toEqual([true]);
    });
  });
}
