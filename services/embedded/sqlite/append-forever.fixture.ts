import { writeSync } from 'node:fs';
import { freshStream, sampleCommit } from '../../engine/log/sample-events.fixture.ts';
import { openShopDatabase } from './sqlite-database.ts';
import { createSqliteEventLog } from './sqlite-event-log.ts';

/**
 * Appends to the log until the process is killed. The first argument is the log's file. Prints the event ids of each
 * acknowledged commit on one line.
 */
const log = createSqliteEventLog({ database: openShopDatabase(process.argv[2] ?? '') });

async function appendForever(): Promise<never> {
  const stream = freshStream();
  for (let version = 0; ; version += 2) {
    const commit = sampleCommit(stream, version, 2);
    const result = await log.append(commit);
    if (result.kind === 'appended') writeSync(1, `${commit.events.map(({ id }) => id).join(' ')}\n`);
  }
}

await Promise.all(Array.from({ length: 16 }, appendForever));
