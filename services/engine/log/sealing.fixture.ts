import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RecordedEvent, StoredEvent } from '../../contracts/events.ts';
import { streamName } from '../../contracts/ids.ts';
import { createSqliteKeyVault } from '../../embedded/sqlite/sqlite-key-vault.ts';
import { createLogger } from '../../runtime/log.ts';
import { freshId, freshStream, sampleEvent } from './sample-events.fixture.ts';
import { createSealing, type Sealing, type SealingOptions } from './sealing.ts';
export const DELIVERY = {
  name: 'Farida Rahman',
  email: 'farida@example.com',
  phone: '01712345678',
  address: '7 Lake Road',
};

export function attributes(stream = freshStream(), version = 1) {
  const { type, data, ...rest } = sampleEvent(stream, version);
  return rest;
}

export function registered(person = freshId()): RecordedEvent<'UserRegistered'> {
  const personal = { email: DELIVERY.email, name: DELIVERY.name };
  return {
    ...attributes(streamName('user', person)),
    type: 'UserRegistered',
    data: { uid: 'uid-1', person, personal },
  };
}

export function placed(person = freshId()): RecordedEvent<'OrderPlaced'> {
  const draft = {
    orderId: freshId(),
    number: 'MC-1001',
    productId: freshId(),
    product: 'Tower One',
    quantity: 2,
    price: 450_050,
    total: 9_001,
    placedAt: '2026-01-01T00:00:00.000Z',
    expiresAt: '2026-01-02T00:00:00.000Z',
  };
  const stream = streamName('order', draft.orderId);
  return { ...attributes(stream), schemaversion: 2, type: 'OrderPlaced', data: { draft, person, personal: DELIVERY } };
}

export async function sealOne(sealing: Sealing, event: RecordedEvent): Promise<StoredEvent> {
  return (await sealing.sealAll([event]))[0] as StoredEvent;
}

export async function openOne(sealing: Sealing, event: StoredEvent): Promise<RecordedEvent> {
  return (await sealing.openAll([event]))[0] as RecordedEvent;
}

/** Opens a key vault in its own temporary folder. */
export function openVault() {
  const folder = mkdtempSync(join(tmpdir(), 'sealing-'));
  const vault = createSqliteKeyVault({ file: join(folder, 'keys.db') });
  return {
    folder,
    vault,
    /** Returns a Sealing that uses this vault and an empty log. */
    sealingOf: (change: Partial<SealingOptions> = {}) =>
      createSealing({ vault, log: { head: async () => 0 }, logger: createLogger('silent'), ...change }),
    async close() {
      await vault.close();
      rmSync(folder, { recursive: true });
    },
  };
}
