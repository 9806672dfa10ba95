import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { OrderView } from '../../contracts/order/order-view.ts';
import type { UserView } from '../../contracts/people/user-view.ts';
import type { ProductView } from '../../contracts/product/product-view.ts';
import type { ReviewView } from '../../contracts/review/review-view.ts';
import type { Broadcast, PushMessage } from './broadcast.ts';

export interface BroadcastHarness {
  /** Joins the broadcast as another process would. An in-process adapter returns the same instance each time. */
  join(): Promise<Broadcast>;
  /** Closes every broadcast that join() returned. */
  dispose(): Promise<void>;
}

const PATIENCE = { timeout: 10_000, interval: 5 };
const at = { appended: 1_767_225_600_000, projected: 1_767_225_600_007, pushed: 1_767_225_600_009 };

const TIME = '2026-01-01T00:00:00.000Z';

const ORDER: OrderView = {
  _id: 'order',
  number: 'MC-1042',
  name: 'Farida Rahman',
  email: 'farida@example.com',
  phone: '01712345678',
  address: '৭ লেক রোড',
  product: 'Tower One',
  productId: 'product',
  quantity: 2,
  price: 4_500.5,
  totalPrice: 9_001,
  paid: false,
  transactionId: '',
  status: '',
  placedAt: TIME,
  expiresAt: TIME,
  paidAt: null,
  shippedAt: null,
  cancelledAt: null,
  cancelReason: null,
  refundedAt: null,
  deliveryChangedAt: null,
  shipment: null,
  carrier: null,
  trackingNumber: null,
  version: 1,
};

const PRODUCT: ProductView = {
  _id: 'product',
  name: 'Tower One',
  img1: '/one.svg',
  img2: '',
  processor: '8-core 3.8 GHz',
  gpu: 'dual',
  rated: 'Gold',
  description: '“৳” & \\u0000 🚀',
  price: 4_500.5,
  quantity: 10,
  minorder: 1,
  addedAt: TIME,
  version: 2,
};

const USER: UserView = {
  _id: 'user',
  email: 'farida@example.com',
  name: 'Farida Rahman',
  role: 'customer',
  address: '',
  phone: '',
  education: '',
  social: '',
  registeredAt: TIME,
  version: 3,
};

const REVIEW: ReviewView = {
  _id: 'review',
  name: 'Tower One',
  ratings: 4.5,
  username: 'Farida',
  description: 'Quiet and cool.',
  postedAt: TIME,
  version: 4,
};

/** One push of each document kind, and one push that removes an order from the lists. Some of the text is non-ASCII. */
const OF_EVERY_KIND: readonly PushMessage[] = [
  { push: { kind: 'order', id: 'order', version: 1, view: ORDER, at }, audiences: ['user:a', 'admins'] },
  { push: { kind: 'product', id: 'product', version: 2, view: PRODUCT, at }, audiences: ['everyone'], paced: true },
  { push: { kind: 'user', id: 'user', version: 3, view: USER, at }, audiences: ['user:user'] },
  { push: { kind: 'review', id: 'review', version: 4, view: REVIEW, at }, audiences: ['everyone'] },
  { push: { kind: 'order', id: 'order', version: 5, view: null, at }, audiences: [] },
];

function numbered(id: string, version: number): PushMessage {
  return { push: { kind: 'review', id, version, view: null, at }, audiences: ['everyone'] };
}

/** Records everything that one subscriber receives. */
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

/** Contract tests that every Broadcast adapter must pass. They don't cover lost connections. */
export function broadcastContract(adapter: string, start: () => Promise<BroadcastHarness>): void {
  describe(`Broadcast: ${adapter}`, () => {
    let harness: BroadcastHarness;
    beforeEach(async () => {
      harness = await start();
    });
    afterEach(() => harness.dispose());

    it('LIVE5 a broadcast calls live(true) once on a new subscriber, even if nothing has been published yet', async () => {
      const publisher = await harness.join();
      const listener = await listenLive(await harness.join());
      publisher.publish(numbered('one', 1));
      await expect.poll(() => listener.versionsOf('one'), PATIENCE).toEqual([1]);
      expect(listener.lives).toEqual([true]);
    });

    it('LIVE1 messages of every kind reach every subscriber unchanged', async () => {
      const publisher = await harness.join();
      const listeners = await Promise.all(
        [await harness.join(), await harness.join(), publisher].map((broadcast) => listenLive(broadcast)),
      );
      for (const message of OF_EVERY_KIND) publisher.publish(message);
      for (const { messages } of listeners) await expect.poll(() => messages, PATIENCE).toEqual(OF_EVERY_KIND);
    });

    it("LIVE1 each publisher's messages arrive exactly once and in order, even while other publishers send messages", async () => {
      const publishers = [await harness.join(), await harness.join(), await harness.join()];
      const listener = await listenLive(await harness.join());
      for (const version of upTo(300)) {
        for (const [index, publisher] of publishers.entries()) publisher.publish(numbered(`of-${index}`, version));
      }
      for (const index of publishers.keys()) {
        await expect.poll(() => listener.versionsOf(`of-${index}`), PATIENCE).toEqual(upTo(300));
      }
    });

    it('after a subscriber unsubscribes, only the other subscribers get messages', async () => {
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

    it('LIVE5 a broadcast also calls live(true) on a later subscriber, and sends it only messages published after it subscribed', async () => {
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

    it('a closed broadcast neither delivers messages to its subscribers nor publishes new ones', async () => {
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
