import { commitName } from '../../contracts/ids.ts';
import { eventFeedContract } from '../../engine/feed/event-feed.contract.ts';
import { freshId } from '../../engine/log/sample-events.fixture.ts';
import { scheduleTimer } from '../../runtime/schedule.ts';
import { createKafkaEventFeed } from '../../servers/kafka/kafka-event-feed.ts';
import { startOutboxRelay } from '../../servers/kafka/outbox-relay.ts';
import { createPublisher } from '../../servers/kafka/publisher.ts';
import { topicsOf } from '../../servers/kafka/topics.ts';
import { createDice } from './dice.ts';
import { createMemoryEventLog } from './memory-event-log.ts';
import { createMemoryKafka } from './memory-kafka.ts';
import { createMemoryOutbox } from './memory-outbox.ts';
import { createShopDisk } from './shop-tables.ts';

eventFeedContract('Kafka in memory', async () => {
  const disk = createShopDisk();
  const [log, outbox] = [createMemoryEventLog(disk), createMemoryOutbox(disk)];
  const now = () => performance.now();
  const cluster = createMemoryKafka(createDice(1), { fetchSize: () => 100 }).connect({
    schedule: scheduleTimer,
    isAlive: () => true,
    isRunning: () => true,
    now,
  });
  const parts = { cluster, group: 'projector', topics: topicsOf('shop'), outbox, onError: () => {} };
  const publisher = createPublisher(parts);
  const outboxRelay = startOutboxRelay({ ...parts, publisher, now, interval: 20, openFor: 100, longest: 200 });
  const open = () => createKafkaEventFeed({ ...parts, backOff: (failures) => Math.min(200, 10 * failures) });
  let feed = open();
  return {
    feed,
    async publish(events) {
      for (const event of events) {
        const { subject: stream, streamversion: version } = event;
        await log.append({ id: freshId(), stream, expectedVersion: version - 1, events: [event] });
        await publisher.publish({ name: commitName(stream, version), events: [event] });
      }
    },
    async reopen() {
      await feed.close();
      feed = open();
      return feed;
    },
    async dispose() {
      await feed.close();
      await outboxRelay.stop();
    },
  };
});
