import { randomBytes } from 'node:crypto';
import { createLogFeed } from '../../embedded/log-feed.ts';
import { eventFeedContract } from '../../engine/feed/event-feed.contract.ts';
import { eventLogContract } from '../../engine/log/event-log.contract.ts';
import { keyVaultContract } from '../../engine/log/key-vault.contract.ts';
import { freshId } from '../../engine/log/sample-events.fixture.ts';
import { snapshotsContract } from '../../engine/log/snapshots.contract.ts';
import { readModelsContract } from '../../engine/read-models/read-models.contract.ts';
import { shopDocuments } from '../../shop/documents.ts';
import { shopQueriesContract } from '../../shop/shop-queries.contract.ts';
import { createMemoryEventLog } from './memory-event-log.ts';
import { createMemoryFeedStore } from './memory-feed-store.ts';
import { createKeyDisk, createMemoryKeyVault } from './memory-key-vault.ts';
import { createMemoryReadModels } from './memory-read-models.ts';
import { createMemorySnapshots } from './memory-snapshots.ts';
import { createShopDisk } from './shop-tables.ts';

const dispose = async () => {};

eventLogContract('memory', async () => {
  const disk = createShopDisk();
  const log = createMemoryEventLog(disk);
  const reopen = async () => {
    await log.close();
    return createMemoryEventLog(disk);
  };
  return { log, reopen, dispose };
});

keyVaultContract('memory', async () => {
  const disk = createKeyDisk();
  const open = () => createMemoryKeyVault(disk, randomBytes);
  return { vault: open(), reopen: async () => open(), dispose };
});

snapshotsContract('memory', async () => {
  const disk = createShopDisk();
  return {
    snapshots: createMemorySnapshots(disk),
    async spoil(stream) {
      disk.write((tables) => tables.snapshots.set(stream as never, { version: 'none' }));
    },
    dispose,
  };
});

const startReadModels = async () => {
  const disk = createShopDisk();
  const open = () => createMemoryReadModels(disk, shopDocuments);
  return { readModels: open(), reopen: async () => open(), dispose };
};
readModelsContract('memory', startReadModels);
shopQueriesContract('memory', startReadModels);

eventFeedContract('memory', async () => {
  const disk = createShopDisk();
  const log = createMemoryEventLog(disk);
  const open = () =>
    createLogFeed({
      openStore: () => createMemoryFeedStore(disk),
      consumer: 'projector',
      clock: Date.now,
      onError: () => {},
      backOff: (failures) => Math.min(50, 5 * failures),
    });
  let feed = open();
  return {
    feed,
    async publish(events) {
      for (const event of events) {
        const commit = {
          id: freshId(),
          stream: event.subject,
          expectedVersion: event.streamversion - 1,
          events: [event],
        };
        await log.append(commit);
        feed.wake();
      }
    },
    async reopen() {
      await feed.close();
      feed = open();
      return feed;
    },
    dispose: () => feed.close(),
  };
});
