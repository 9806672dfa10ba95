import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ERASED, type RecordedEvent, type StoredEvent } from '../../contracts/events.ts';
import { streamName } from '../../contracts/ids.ts';
import type { Schemas } from '../../contracts/upcast.ts';
import { UnknownSchemaVersion, UnreadableEvent } from '../../contracts/upcast.ts';
import { openShopDatabase } from '../../embedded/sqlite/sqlite-database.ts';
import { createSqliteEventLog } from '../../embedded/sqlite/sqlite-event-log.ts';
import { createSqliteKeyVault, type SqliteKeyVault } from '../../embedded/sqlite/sqlite-key-vault.ts';
import { createLogger } from '../../runtime/log.ts';
import { KeyMissing, type KeyVault } from './key-vault.ts';
import { freshId, freshStream, sampleEvent } from './sample-events.fixture.ts';
import { createSealing, type Sealing, type SealingOptions } from './sealing.ts';

const DELIVERY = { name: 'Farida Rahman', email: 'farida@example.com', phone: '01712345678', address: '7 Lake Road' };

function attributes(stream = freshStream(), version = 1) {
  const { type, data, ...rest } = sampleEvent(stream, version);
  return rest;
}

function registered(person = freshId()): RecordedEvent<'UserRegistered'> {
  const personal = { email: DELIVERY.email, name: DELIVERY.name };
  return {
    ...attributes(streamName('user', person)),
    type: 'UserRegistered',
    data: { uid: 'uid-1', person, personal },
  };
}

function placed(person = freshId()): RecordedEvent<'OrderPlaced'> {
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

async function sealOne(sealing: Sealing, event: RecordedEvent): Promise<StoredEvent> {
  return (await sealing.sealAll([event]))[0] as StoredEvent;
}

async function openOne(sealing: Sealing, event: StoredEvent): Promise<RecordedEvent> {
  return (await sealing.openAll([event]))[0] as RecordedEvent;
}

let folder: string;
let vault: SqliteKeyVault;
let sealing: Sealing;
/** A log without a stream. */
const EMPTY = { head: async () => 0 };
/** A sealing on the test's vault. */
const sealingOf = (change: Partial<SealingOptions> = {}) =>
  createSealing({ vault, log: EMPTY, logger: createLogger('silent'), ...change });

describe('sealing', () => {
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sealing-'));
    vault = createSqliteKeyVault({ file: join(folder, 'keys.db') });
    sealing = sealingOf();
  });
  afterEach(async () => {
    await vault.close();
    rmSync(folder, { recursive: true });
  });

  it('LOG3 what was sealed opens to the same event', async () => {
    const events: RecordedEvent[] = [placed(), registered(), { ...attributes(), type: 'OrderShipped', data: {} }];
    expect(await sealing.openAll(await sealing.sealAll(events))).toEqual(events);
  });

  it('LOG3 personal data stands in plain text in no file', async () => {
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

  it('LOG3 after an erase the fields are erased, the same each time, and all else stands', async () => {
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

  it('LOG3 what is sealed for an erased person keeps nothing and opens as erased', async () => {
    const person = freshId();
    await sealing.erase(person);
    const stored = await sealOne(sealing, registered(person));
    expect(stored.data.personal).toEqual({ fields: ['email', 'name'], box: '' });
    const opened = (await openOne(sealing, stored)) as RecordedEvent<'UserRegistered'>;
    expect(opened.data.personal).toEqual({ email: ERASED, name: ERASED });
    expect(await vault.find(person)).toBeNull();
  });

  it('LOG3 an erase while a key is being fetched leaves no key behind', async () => {
    const event = registered();
    const stored = await sealOne(sealing, event);
    const fetched: (() => void)[] = [];
    const slow: KeyVault = {
      ...vault,
      find: async (person) => {
        const key = await vault.find(person);
        await new Promise<void>((resolve) => fetched.push(resolve));
        return key;
      },
    };
    const other = sealingOf({ vault: slow });
    const early = openOne(other, stored);
    await expect.poll(() => fetched.length).toBe(1);
    await other.erase(event.data.person);
    fetched[0]?.();
    await early;
    const late = openOne(other, stored);
    await expect.poll(() => fetched.length).toBe(2);
    fetched[1]?.();
    expect(((await late) as RecordedEvent<'UserRegistered'>).data.personal.name).toBe(ERASED);
  });

  it('LOG3 a profile change erases only the fields that it had', async () => {
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

  it('LOG3 the same data sealed twice gives two boxes', async () => {
    const event = registered();
    const [first, second] = await sealing.sealAll([event, event]);
    expect(first?.data.personal).not.toEqual(second?.data.personal);
  });

  it('LOG3 LOG5 a box that was changed, moved to another event or renamed reads as erased', async () => {
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

  it('PRJ4 an event of unknown type or with unfit data is unreadable, and the error names stream and version', async () => {
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

  it('E5 LOG5 makes a key with the first event of a person alone', async () => {
    const person = freshId();
    const grown = sealingOf({ log: { head: async (stream) => (stream === `user-${person}` ? 3 : 0) } });
    await expect(sealOne(grown, placed(person))).rejects.toThrow(KeyMissing);
    const later = { ...registered(person), streamversion: 2 };
    await expect(sealOne(grown, later)).rejects.toThrow(KeyMissing);
    expect(await vault.find(person)).toBeUndefined();
    await sealOne(sealing, registered(person));
    const key = await vault.find(person);
    expect(key).toHaveLength(32);
    expect(await openOne(grown, await sealOne(grown, placed(person)))).toMatchObject({ data: { personal: DELIVERY } });
    const author = freshId();
    expect(await openOne(grown, await sealOne(grown, placed(author)))).toMatchObject({ data: { personal: DELIVERY } });
    await grown.erase(person);
    expect((await sealOne(grown, placed(person))).data.personal).toMatchObject({ box: '' });
  });

  it('E5 LOG5 what no kept key opens reads as erased, with one warning a person; an erasure is no reason to warn', async () => {
    const people = [freshId(), freshId()];
    const stored = await sealing.sealAll(people.flatMap((person) => [registered(person), placed(person)]));
    const without = createSqliteKeyVault({ file: join(folder, 'other.db') });
    await without.restore({ person: people[1] ?? '', key: Buffer.alloc(32, 7) });
    const warnings: object[] = [];
    const logger = { warn: (about: object) => void warnings.push(about) };
    const opening = sealingOf({ vault: without, logger });
    for (let round = 0; round < 2; round += 1) {
      for (const { data } of await opening.openAll(stored)) {
        expect(new Set(Object.values('personal' in data ? data.personal : {}))).toEqual(new Set([ERASED]));
      }
    }
    expect(warnings).toMatchObject([{ person: people[0] }, { person: people[1] }]);
    expect(JSON.stringify(warnings)).not.toContain(DELIVERY.email);
    for (const person of people) await without.erase(person);
    await sealingOf({ vault: without, logger }).openAll(stored);
    expect(warnings).toHaveLength(2);
    await without.close();
  });

  it('PRJ4 a vault that cannot be asked does not make an event unreadable', async () => {
    const stored = await sealOne(sealing, registered());
    const down: KeyVault = { ...vault, find: () => Promise.reject(new Error('vault is down')) };
    const opening = openOne(sealingOf({ vault: down }), stored);
    await expect(opening).rejects.toThrow('vault is down');
    await expect(opening).rejects.not.toBeInstanceOf(UnreadableEvent);
  });

  it('LOG5 a key that the vault could not give is asked for again with the next event', async () => {
    const stored = await sealOne(sealing, registered());
    let down = true;
    const find: KeyVault['find'] = (person) => (down ? Promise.reject(new Error('vault is down')) : vault.find(person));
    const back = sealingOf({ vault: { ...vault, find } });
    await expect(openOne(back, stored)).rejects.toThrow('vault is down');
    down = false;
    expect(await openOne(back, stored)).toEqual(await openOne(sealing, stored));
  });
});

describe('upcasting', () => {
  const schemas: Schemas = {
    versions: { PaymentStarted: 3 },
    upcasters: {
      PaymentStarted: [
        ({ paymentIntent, ...data }) => ({ ...data, intent: paymentIntent }),
        (data) => ({ attempt: 1, ...data }),
      ],
    },
  };
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'upcasting-'));
    vault = createSqliteKeyVault({ file: join(folder, 'keys.db') });
    sealing = sealingOf({ schemas });
  });
  afterEach(async () => {
    await vault.close();
    rmSync(folder, { recursive: true });
  });
  const inVersion = (schemaversion: number, data: Record<string, unknown>) =>
    sampleEvent(freshStream(), 1, { schemaversion, data });

  it('PRJ2 data of every old version is read as the newest', async () => {
    const newest = { intent: 'pi_1', attempt: 1, amount: 5 };
    const old = [
      inVersion(1, { paymentIntent: 'pi_1', amount: 5 }),
      inVersion(2, { intent: 'pi_1', amount: 5 }),
      inVersion(3, newest),
    ];
    const opened = await sealing.openAll(old);
    expect(opened.map(({ data }) => data)).toEqual([newest, newest, newest]);
    expect(opened.map(({ schemaversion }) => schemaversion)).toEqual([3, 3, 3]);
  });

  it('PRJ2 personal data is plain when an upcaster sees it, and erased is as good as plain', async () => {
    const event = registered();
    const stored = await sealOne(sealingOf(), event);
    const upper = sealingOf({
      schemas: {
        versions: { UserRegistered: 2 },
        upcasters: {
          UserRegistered: [(data) => ({ ...data, uid: `${data.uid}:${Object.keys(data.personal ?? {})}` })],
        },
      },
    });
    expect(await openOne(upper, stored)).toMatchObject({
      data: { uid: 'uid-1:email,name', personal: event.data.personal },
    });
    await upper.erase(event.data.person);
    expect(await openOne(upper, stored)).toMatchObject({
      data: { uid: 'uid-1:email,name', personal: { name: ERASED } },
    });
  });

  it('PRJ2 a sealed event carries the newest schema version of its type', async () => {
    const event: RecordedEvent<'PaymentStarted'> = {
      ...attributes(),
      type: 'PaymentStarted',
      data: { intent: 'pi_1', attempt: 1, amount: 5 },
    };
    expect((await sealOne(sealing, event)).schemaversion).toBe(3);
    expect((await sealOne(sealing, { ...attributes(), type: 'OrderShipped', data: {} })).schemaversion).toBe(1);
  });

  it('PRJ2 a schema version of a newer program is refused by name', async () => {
    const opening = openOne(sealing, inVersion(4, {}));
    await expect(opening).rejects.toThrow(UnknownSchemaVersion);
    await expect(opening).rejects.toThrow(/PaymentStarted.*schema version 4, this program knows 3/);
  });
});
