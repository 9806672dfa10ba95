import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ERASED, type RecordedEvent, type StoredEvent } from '../../contracts/events.ts';
import { streamName } from '../../contracts/ids.ts';
import { UnreadableEvent } from '../../contracts/upcast.ts';
import { openShopDatabase } from '../../embedded/sqlite/sqlite-database.ts';
import { createSqliteEventLog } from '../../embedded/sqlite/sqlite-event-log.ts';
import type { SqliteKeyVault } from '../../embedded/sqlite/sqlite-key-vault.ts';
import { freshId, freshStream, sampleEvent } from './sample-events.fixture.ts';
import { attributes, DELIVERY, openOne, openVault, placed, registered, sealOne } from './sealing.fixture.ts';
import type { Sealing } from './sealing.ts';

describe('sealing', () => {
  let folder: string;
  let vault: SqliteKeyVault;
  let sealing: Sealing;
  let sealingOf: ReturnType<typeof openVault>['sealingOf'];
  let close: () => Promise<void>;
  beforeEach(() => {
    ({ folder, vault, sealingOf, close } = openVault());
    sealing = sealingOf();
  });
  afterEach(() => close());

  it('LOG3 opening a sealed event returns the original event', async () => {
    const events: RecordedEvent[] = [placed(), registered(), { ...attributes(), type: 'AdminGranted', data: {} }];
    expect(await sealing.openAll(await sealing.sealAll(events))).toEqual(events);
  });

  it('LOG3 no database file contains personal data in plain text', async () => {
    const database = openShopDatabase(join(folder, 'shop.db'));
    const log = createSqliteEventLog({ database });
    const event = placed();
    const stored = await sealOne(sealing, event);
    await log.append({ id: freshId(), stream: event.subject, expectedVersion: 0, events: [stored] });
    const written = Buffer.concat(readdirSync(folder).map((name) => readFileSync(join(folder, name))));
    expect(written.includes('Tower One')).toBe(true);
    for (const value of Object.values(DELIVERY)) {
      expect(written.includes(value)).toBe(false);
      expect(written.includes(Buffer.from(value).toString('base64').slice(0, -4))).toBe(false);
    }
    const [read] = await log.readStream(event.subject, 0, 1);
    expect(await openOne(sealing, read as StoredEvent)).toEqual(event);
    database.close();
  });

  it('LOG3 after a person is erased, their personal data always reads as erased, and nothing else changes', async () => {
    const [event, others] = [placed(), placed()];
    const [stored, othersStored] = [await sealOne(sealing, event), await sealOne(sealing, others)];
    await openOne(sealing, stored);
    await sealing.erase(event.data.person);
    const erased = {
      ...event,
      data: { ...event.data, personal: { name: ERASED, email: ERASED, phone: ERASED, address: ERASED } },
    };
    expect(await openOne(sealing, stored)).toEqual(erased);
    expect(await openOne(sealing, stored)).toEqual(erased);
    expect(await openOne(sealingOf(), stored)).toEqual(erased);
    expect(await openOne(sealing, othersStored)).toEqual(others);
  });

  it('LOG3 an event sealed for an erased person contains no personal data, and its personal fields read as erased', async () => {
    const person = freshId();
    await sealing.erase(person);
    const stored = await sealOne(sealing, registered(person));
    expect(stored.data.personal).toEqual({ fields: ['email', 'name'], box: '' });
    const opened = (await openOne(sealing, stored)) as RecordedEvent<'UserRegistered'>;
    expect(opened.data.personal).toEqual({ email: ERASED, name: ERASED });
    expect(await vault.find(person)).toBeNull();
  });

  it('LOG3 after an erasure, a ProfileChanged event still lists only the fields that were changed', async () => {
    const person = freshId();
    const event: RecordedEvent<'ProfileChanged'> = {
      ...attributes(streamName('user', person)),
      type: 'ProfileChanged',
      data: { person, personal: { phone: '0171', address: undefined } },
    };
    const stored = await sealOne(sealing, event);
    await sealing.erase(person);
    expect(((await openOne(sealing, stored)) as typeof event).data.personal).toEqual({ phone: ERASED });
  });

  it('LOG3 sealing the same data twice gives two different ciphertexts', async () => {
    const event = registered();
    const [first, second] = await sealing.sealAll([event, event]);
    expect(first?.data.personal).not.toEqual(second?.data.personal);
  });

  it('LOG3 LOG5 sealed data reads as erased if it was altered, moved to another event or given a different list of fields', async () => {
    const person = freshId();
    const [first, second] = await sealing.sealAll([registered(person), registered(person)]);
    const personal = first?.data.personal as { fields: string[]; box: string };
    const withPersonal = (event: StoredEvent | undefined, changed: object) =>
      ({ ...event, data: { ...event?.data, personal: { ...personal, ...changed } } }) as StoredEvent;
    const bytes = Buffer.from(personal.box, 'base64');
    const erased = { data: { person, personal: { email: ERASED, name: ERASED } } };
    for (let at = 0; at < bytes.length; at += 7) {
      const flipped = Buffer.from(bytes);
      flipped.writeUInt8(flipped.readUInt8(at) ^ 1, at);
      const changed = withPersonal(first, { box: flipped.toString('base64') });
      expect(await openOne(sealing, changed)).toMatchObject(erased);
    }
    expect(await openOne(sealing, withPersonal(second, {}))).toMatchObject(erased);
    expect(await openOne(sealing, withPersonal(first, { fields: ['name', 'email'] }))).toMatchObject(erased);
    expect(await openOne(sealing, withPersonal(first, { box: 'AAAA' }))).toMatchObject(erased);
    expect(await openOne(sealing, withPersonal(first, {}))).toMatchObject({
      data: { person, personal: { name: DELIVERY.name } },
    });
  });

  it('PRJ4 an event of unknown type or with invalid data is unreadable, and the error names its stream and version', async () => {
    const stream = freshStream();
    for (const changes of [
      { type: 'OrderTeleported' },
      { type: 'toString' },
      { data: { intent: 7 } },
      { data: { ...registered().data } },
    ]) {
      const opening = openOne(sealing, sampleEvent(stream, 3, changes));
      await expect(opening).rejects.toThrow(UnreadableEvent);
      await expect(opening).rejects.toMatchObject({ stream, version: 3, message: expect.stringContaining(stream) });
    }
  });
});
