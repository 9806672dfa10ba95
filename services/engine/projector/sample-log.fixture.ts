import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import type { StoredEvent } from '../../contracts/events.ts';
import { documentOf, streamName } from '../../contracts/ids.ts';
import { openEmbeddedCore } from '../../embedded/embedded-core.ts';
import type { PushMessage } from './broadcast.ts';
import { createInProcessBroadcast } from './broadcast.ts';
import { createProjector, type ProjectorSettings } from './project.ts';
import { orderIdOf, STREAMS } from './sample-streams.fixture.ts';

const streams = [...STREAMS.keys()];
export const orderStream = streamName('order', orderIdOf(1));

export type SampleLog = Awaited<ReturnType<typeof openSampleLog>>;

/** Opens a log of the sample streams in its own temporary folder. Nothing has been projected yet. */
export async function openSampleLog() {
  const folder = mkdtempSync(join(tmpdir(), 'projector-'));
  const core = openEmbeddedCore({ dataDir: folder, clock: () => 1_000, logger: pino({ level: 'silent' }) });
  const pushed: PushMessage[] = [];
  const stored: StoredEvent[] = [];
  for (const [stream, plain] of STREAMS) {
    const events = await core.sealing.sealAll(plain);
    await core.log.append({ id: stream, stream, expectedVersion: 0, events });
    stored.push(...events);
  }
  return {
    core,
    stored,
    pushed,
    /** Returns a projector that uses the stores in `core`, and adds its pushes to `pushed`. */
    async projectorOf(change: Partial<ProjectorSettings> = {}) {
      const broadcast = createInProcessBroadcast();
      await broadcast.subscribe({ message: (message) => pushed.push(message), live: () => {} });
      return createProjector({ ...core, broadcast, clock: () => 2_000, ...change });
    },
    /** Returns the stored documents as JSON, so that a test can compare them byte for byte. */
    async documents(): Promise<string[]> {
      const names = streams.map(documentOf).filter((name) => name !== null);
      const found = await Promise.all(names.map(({ kind, id }) => core.readModels.get(kind, id)));
      return found.map((document) => JSON.stringify(document));
    },
    /** Returns a Sealing that can't open the events of one stream while `poisoned.yes` is true. */
    poison() {
      const poisoned = { yes: true };
      const openAll: typeof core.sealing.openAll = async (events) => {
        if (poisoned.yes && events.some((event) => event.subject === orderStream)) throw new Error('poison');
        return core.sealing.openAll(events);
      };
      return { poisoned, sealing: { ...core.sealing, openAll } };
    },
    async close() {
      await core.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
