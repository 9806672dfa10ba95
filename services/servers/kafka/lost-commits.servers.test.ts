import { expect, it, onTestFinished } from 'vitest';
import { freshStream, sampleEvent } from '../../engine/log/sample-events.fixture.ts';
import { openLogAndFeed } from './kafka-feed.fixture.ts';
import { createPublisher } from './publisher.ts';

const PATIENCE = { timeout: 30_000, interval: 20 };

it('FEED2 commits that were never published, or that the brokers lost, are redelivered within 5 s', async () => {
  const shop = await openLogAndFeed();
  onTestFinished(shop.dispose);
  const publisher = createPublisher(shop);
  const dropping = createPublisher({ topics: shop.topics, cluster: { ...shop.cluster, send: async (to) => [to] } });
  shop.republish(publisher);
  const seen = new Set<string>();
  await shop.openFeed().consume(async (events) => {
    for (const { id } of events) seen.add(id);
    return new Set();
  });
  const openNames = () => shop.outbox.list(10);
  const streams = Array.from({ length: 6 }, freshStream);
  const begun = performance.now();
  const ids: string[] = [];
  for (const [index, stream] of streams.entries()) {
    const events = [1, 2, 3].map((version) => sampleEvent(stream, version));
    ids.push(...events.map(({ id }) => id));
    const commit = await shop.append(events);
    if (index % 2 === 0) await dropping.publish(commit);
  }
  expect(await openNames()).toHaveLength(6);
  await expect.poll(openNames, PATIENCE).toEqual([]);
  expect(performance.now() - begun).toBeLessThan(5_000);
  expect(seen).toEqual(new Set(ids));
});
