import { randomUUID } from 'node:crypto';
import { followFeed } from '../engine/projector/follow-feed.ts';
import { createProjector } from '../engine/projector/project.ts';
import { measureMails, measureProjecting, measureReader, measureRefunds } from '../process/measurements.ts';
import { openMail } from '../process/open-mail.ts';
import { createOrderFlows } from '../process/order-flows.ts';
import { stripeAndClientConfig } from '../process/shop-providers.ts';
import { liveChannel } from './redis/redis.ts';
import { createRedisPublisher } from './redis/redis-publisher.ts';
import type { RoleContext } from './role-context.ts';

const DEMO_ORIGIN = 'http://127.0.0.1:8080';

export async function startProjectorRole(context: RoleContext): Promise<void> {
  const { config, core, feed, identity, clock, logger, cleanup, measurements } = context;
  const { stripe, forgetPayers } = stripeAndClientConfig(config, core.secrets);
  const broadcast = createRedisPublisher({
    url: config.servers.redisUrl,
    channel: liveChannel(config.servers),
    newId: randomUUID,
    onError: (error) => logger.warn({ err: error }, 'could not send pushes to Redis; pages will refetch their data'),
  });
  cleanup.add(() => broadcast.close());
  const mail = await openMail(config, logger, cleanup);
  // Sending real mail requires PUBLIC_ORIGIN. In a demo, any origin will do, because the mailbox runs in another
  // process and renders e-mails with its own links.
  const origin = config.publicOrigin ?? DEMO_ORIGIN;
  const { processingTtlMs } = config;
  const parts = { core, identity, stripe, forgetPayers, mail, origin, processingTtlMs, clock, logger };
  const { policies, reader, scan, mailer, erasures } = createOrderFlows(parts);
  const projector = createProjector({
    ...core,
    broadcast,
    clock,
    follow: policies.follow,
    onStopped: (stopped) => logger.error(stopped, 'the projection of a stream has stopped; will retry'),
  });
  const projecting = await followFeed(feed.openConsumer(core.mongo.shop), projector, clock);
  const outboxRelay = feed.startOutboxRelay(core.mongo.shop);
  cleanup.add(async () => {
    await reader.stop();
    await scan.stop();
    await mailer?.stop();
    await erasures.stop();
    await outboxRelay.stop();
    await projecting.consumer.stop();
  });
  measureProjecting(measurements, projecting, clock);
  measureRefunds(measurements, scan);
  measureReader(measurements, reader);
  if (mailer) measureMails(measurements, mailer);
  measurements.gauge('shop_commits_republished', 'Commits republished by this process.', outboxRelay.republished);
  scan.start();
  reader.start();
  mailer?.start();
}
