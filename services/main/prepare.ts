import { createCleanup } from '../process/cleanup.ts';
import { runCommand } from '../process/run-command.ts';
import { ConfigError, readConfig } from '../runtime/config.ts';
import { createLogger } from '../runtime/log.ts';
import { openServersCore } from '../servers/servers-core.ts';
import { openServersFeed } from '../servers/servers-feed.ts';

/**
 * Prepares a shop that uses MongoDB, Kafka and Redis servers, before its roles are started. Creates missing topics and
 * indexes, and adds the demo products and reviews if demo data is turned on. It's safe to run this command again.
 */
runCommand(async () => {
  const config = readConfig(process.env);
  const { servers, providers } = config;
  if (!servers) throw new ConfigError('Configuration: set MONGODB_URI, KAFKA_BROKERS and REDIS_URL.');
  const cleanup = createCleanup();
  try {
    const logger = createLogger(config.logLevel);
    const feed = openServersFeed({ servers, logger });
    cleanup.add(() => feed.close());
    await feed.createTopics();
    const core = await openServersCore({ config, logger, onCommit: feed.publishSoon });
    cleanup.add(() => core.close());
    const withData = providers.mode === 'demo' && providers.withData;
    if (withData) {
      const { seedDemoData } = await import('../demo/seed/seed-demo-data.ts');
      await seedDemoData(core.handler, core.secrets.userId);
    }
    return `prepared: topics, indexes${withData ? ', demo goods' : ''}`;
  } finally {
    await cleanup.run();
  }
});
