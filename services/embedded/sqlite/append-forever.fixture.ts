import { writeSync } from 'node:fs';
import { freshStream, sampleCommit } from '../../engine/log/sample-events.fixture.ts';
import { openShopDatabase } from './sqlite-database.ts';
import { createSqliteEventLog } from './sqlite-event-log.ts';

/** Appends to the log in the file given as the first argument until the process is killed. Prints a line for each acknowledged commit. */
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
