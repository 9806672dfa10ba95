import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type KeptKey, type KeyVault, OtherKeyKept } from './key-vault.ts';
import { freshId } from './sample-events.fixture.ts';

/** A vault for one test. */
export interface KeyVaultHarness {
  readonly vault: KeyVault;
  /** Closes the vault and opens a new one on the same data. */
  reopen(): Promise<KeyVault>;
  /** Closes the vault and deletes its data. */
  dispose(): Promise<void>;
}

/** Contract tests that every KeyVault adapter must pass. */
export function keyVaultContract(adapter: string, start: () => Promise<KeyVaultHarness>): void {
  describe(`KeyVault: ${adapter}`, () => {
    let harness: KeyVaultHarness;
    let vault: KeyVault;
    beforeEach(async () => {
      harness = await start();
      vault = harness.vault;
    });
    afterEach(() => harness.dispose());

    it('LOG3 obtain() always returns the same 32-byte key for one person, and a different key for another person', async () => {
      const [person, other] = [freshId(), freshId()];
      const key = await vault.obtain(person);
      expect(key).toHaveLength(32);
      expect(await vault.obtain(person)).toEqual(key);
      expect(await vault.find(person)).toEqual(key);
      expect(await vault.obtain(other)).not.toEqual(key);
    });

    it("LOG3 simultaneous requests for a new person's key all get the same key", async () => {
      const person = freshId();
      const keys = await Promise.all(Array.from({ length: 30 }, () => vault.obtain(person)));
      expect(new Set(keys.map((key) => key?.toString('hex'))).size).toBe(1);
    });

    it('LOG3 find() never creates a key for a person who has none', async () => {
      const person = freshId();
      expect(await vault.find(person)).toBeUndefined();
      expect(await vault.find(person)).toBeUndefined();
      expect(await vault.obtain(person)).toHaveLength(32);
    });

    it('LOG3 an erased person has no key and never gets a new one', async () => {
      const [person, other] = [freshId(), freshId()];
      await vault.obtain(person);
      const kept = await vault.obtain(other);
      await vault.erase(person);
      await vault.erase(person);
      expect(await vault.find(person)).toBeNull();
      expect(await vault.obtain(person)).toBeNull();
      expect(await vault.find(other)).toEqual(kept);
    });

    it('LOG3 a person who was erased before they had a key never gets one', async () => {
      const person = freshId();
      await vault.erase(person);
      expect(await vault.obtain(person)).toBeNull();
    });

    it('LOG3 list() returns all entries in pages, including those of erased people', async () => {
      const persons = Array.from({ length: 5 }, freshId).sort();
      const keys = await Promise.all(persons.map((person) => vault.obtain(person)));
      await vault.erase(persons[2] ?? '');
      const listed: KeptKey[] = [];
      for (let page = await vault.list(null, 2); page.length > 0; ) {
        listed.push(...page);
        page = await vault.list(page.at(-1)?.person ?? null, 2);
      }
      expect(listed).toEqual(persons.map((person, index) => ({ person, key: index === 2 ? null : keys[index] })));
    });

    it('LOG3 restore() imports keys and erasures from another vault, but never replaces a key with a different one', async () => {
      const [person, erased, other] = [freshId(), freshId(), freshId()];
      const key = Buffer.alloc(32, 7);
      await vault.restore({ person, key });
      await vault.restore({ person, key });
      expect(await vault.obtain(person)).toEqual(key);
      await vault.obtain(erased);
      await vault.restore({ person: erased, key: null });
      await vault.restore({ person: erased, key });
      expect(await vault.obtain(erased)).toBeNull();
      const kept = await vault.obtain(other);
      await expect(vault.restore({ person: other, key })).rejects.toThrow(OtherKeyKept);
      expect(await vault.find(other)).toEqual(kept);
    });

    it('LOG3 a reopened vault still contains every key and every erasure', async () => {
      const [person, erased] = [freshId(), freshId()];
      const key = await vault.obtain(person);
      await vault.obtain(erased);
      await vault.erase(erased);
      const reopened = await harness.reopen();
      expect(await reopened.find(person)).toEqual(key);
      expect(await reopened.obtain(person)).toEqual(key);
      expect(await reopened.obtain(erased)).toBeNull();
    });
  });
}
