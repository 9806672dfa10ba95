import { commitName, type StreamName } from '../contracts/ids.ts';
import { pagesOf } from '../engine/log/event-log.ts';
import { type ArchiveCounts, checkArchive, readArchive } from '../engine/log/log-archive.ts';
import { createInProcessBroadcast } from '../engine/projector/broadcast.ts';
import { createProjector } from '../engine/projector/project.ts';
import { IncompleteReadModels } from '../engine/projector/rebuild.ts';
import { createPolicies } from '../flows/follow-ups/follow-events.ts';
import { systemClock as clock } from '../runtime/clock.ts';
import { type Config, ConfigError } from '../runtime/config.ts';
import type { Logger } from '../runtime/log.ts';
import { openServersCore, type ServersCore } from './servers-core.ts';
import { openOutbox } from './servers-feed.ts';

const PAGE = 512;

/**
 * Checks the whole archive before it writes; may be repeated.
 * @throws InvalidArchive, LogNotEmpty, OtherKeyKept; IncompleteReadModels where everything is imported, and some of it not projected
 */
export async function importIntoServers(source: {
  readonly config: Config;
  readonly logger: Logger;
  readonly lines: () => AsyncIterable<string>;
}): Promise<ArchiveCounts> {
  const { config, logger, lines } = source;
  if (!config.servers) throw new ConfigError('Configuration: set MONGODB_URI, KAFKA_BROKERS and REDIS_URL.');
  const { secrets, ...counts } = await checkArchive(lines(), logger);
  const core = await openServersCore({ config, servers: config.servers, logger, givenSecrets: secrets });
  try {
    await readArchive(lines(), core);
    // Only now: policies that ran earlier would redo what the archive has yet to bring.
    await projectAll(core, logger);
  } finally {
    await core.close();
  }
  return counts;
}

/** What fails stays open for the projectors (FEED2). @throws IncompleteReadModels naming the streams of the failed events */
async function projectAll({ mongo, ...core }: ServersCore, logger: Logger): Promise<void> {
  const { follow } = createPolicies({ handler: core.handler, clock, logger });
  const projector = createProjector({ ...core, broadcast: createInProcessBroadcast(), clock, follow });
  const outbox = openOutbox(mongo.shop, logger);
  const failed = new Set<StreamName>();
  for await (const events of pagesOf(core.log, PAGE)) {
    const notDone = await projector.project(events);
    const done = events.filter(({ id }) => !notDone.has(id));
    // Each event of an archive is a commit of its own.
    await outbox.close(done.map(({ subject, streamversion }) => commitName(subject, streamversion)));
    for (const { id, subject } of events) if (notDone.has(id)) failed.add(subject);
  }
  if (failed.size === 0) return;
  const errors = new Map(projector.stoppedStreams().map(({ stream, error }) => [stream, error]));
  throw new IncompleteReadModels(
    [...failed].map((stream) => `${stream} (${errors.get(stream) ?? 'the log says why'})`),
  );
}
