import { commitName, type StreamName } from '../contracts/ids.ts';
import { pagesOf } from '../engine/log/event-log.ts';
import { type ArchiveCounts, checkArchive, readArchive } from '../engine/log/log-archive.ts';
import { createInProcessBroadcast } from '../engine/projector/broadcast.ts';
import { createProjector } from '../engine/projector/project.ts';
import { IncompleteReadModels } from '../engine/projector/rebuild.ts';
import { createPolicies } from '../process/policies.ts';
import { systemClock as clock } from '../runtime/clock.ts';
import { type Config, ConfigError } from '../runtime/config.ts';
import type { Logger } from '../runtime/log.ts';
import { openServersCore, type ServersCore } from './servers-core.ts';
import { openOutbox } from './servers-feed.ts';

const PAGE = 512;

/**
 * Checks the whole archive before writing anything, then imports it and builds the read models. It's safe to repeat an
 * import.
 * @throws ConfigError, MongoUnavailable, KeptSecretsError, InvalidArchive, LogNotEmpty, OtherKeyKept
 * @throws IncompleteReadModels if everything was imported, but some streams could not be projected
 */
export async function importIntoServers(source: {
  readonly config: Config;
  readonly logger: Logger;
  readonly lines: () => AsyncIterable<string>;
}): Promise<ArchiveCounts> {
  const { config, logger, lines } = source;
  if (!config.servers) throw new ConfigError('Configuration: set MONGODB_URI, KAFKA_BROKERS and REDIS_URL.');
  const { secrets, ...counts } = await checkArchive(lines(), logger);
  const core = await openServersCore({ config, logger, givenSecrets: secrets });
  try {
    await readArchive(lines(), core);
    // Run the policies only after everything has been imported. If they ran earlier, they would repeat steps whose
    // events haven't been imported yet.
    await projectAll(core, logger);
  } finally {
    await core.close();
  }
  return counts;
}

/**
 * Projects every event in the log and runs the policies. A commit with failed events stays open, so that a projector
 * retries the events later (FEED2).
 * @throws IncompleteReadModels, which lists the streams of the failed events
 */
async function projectAll({ mongo, ...core }: ServersCore, logger: Logger): Promise<void> {
  const policies = createPolicies({ handler: core.handler, clock, logger });
  const broadcast = createInProcessBroadcast();
  const projector = createProjector({ ...core, broadcast, clock, runPolicies: policies.run });
  const outbox = openOutbox(mongo.shop, logger);
  const failed = new Set<StreamName>();
  for await (const events of pagesOf(core.log, PAGE)) {
    const notDone = await projector.project(events);
    const done = events.filter(({ id }) => !notDone.has(id));
    // The import appends each event as a separate commit.
    await outbox.close(done.map(({ subject, streamversion }) => commitName(subject, streamversion)));
    for (const { id, subject } of events) if (notDone.has(id)) failed.add(subject);
  }
  if (failed.size === 0) return;
  const errors = new Map(projector.stoppedStreams().map(({ stream, error }) => [stream, error]));
  throw new IncompleteReadModels(
    [...failed].map((stream) => `${stream} (${errors.get(stream) ?? 'see the log for the error'})`),
  );
}
