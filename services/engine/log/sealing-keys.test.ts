import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ERASED, type RecordedEvent } from '../../contracts/events.ts';
import { UnreadableEvent } from '../../contracts/upcast.ts';
import { createSqliteKeyVault, type SqliteKeyVault } from '../../embedded/sqlite/sqlite-key-vault.ts';
import { KeyMissing, type KeyVault } from './key-vault.ts';
import { freshId } from './sample-events.fixture.ts';
import { DELIVERY, openOne, openVault, placed, registered, sealOne } from './sealing.fixture.ts';
import type { Sealing } from './sealing.ts';

describe('sealing keys', () => {
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

  it('LOG3 if a person is erased while their key is being fetched, the key is not cached', async () => {
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

  it("LOG5 a person's encryption key is created only with the first event of their user stream, or if they have no user stream", async () => {
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

  it('LOG5 data that no stored key can decrypt reads as erased, with one warning for each person who was not erased', async () => {
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

  it("PRJ4 an event isn't treated as unreadable just because the key vault is down", async () => {
    const stored = await sealOne(sealing, registered());
    const down: KeyVault = { ...vault, find: () => Promise.reject(new Error('vault is down')) };
    const opening = openOne(sealingOf({ vault: down }), stored);
    await expect(opening).rejects.toThrow('vault is down');
    await expect(opening).rejects.not.toBeInstanceOf(UnreadableEvent);
  });

  it('LOG5 a failed key lookup is not cached, so the key is looked up again for the next event', async () => {
    const stored = await sealOne(sealing, registered());
    let down = true;
    const find: KeyVault['find'] = (person) => (down ? Promise.reject(new Error('vault is down')) : vault.find(person));
    const back = sealingOf({ vault: { ...vault, find } });
    await expect(openOne(back, stored)).rejects.toThrow('vault is down');
    down = false;
    expect(await openOne(back, stored)).toEqual(await openOne(sealing, stored));
  });
});
