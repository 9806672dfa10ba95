/** `key` is null for an erased person. */
export interface KeptKey {
  readonly person: string;
  readonly key: Buffer | null;
}

/**
 * Thrown if the vault already has a different key for this person. The vault keeps only one key per person, so data
 * sealed with the other key could not be opened.
 */
export class OtherKeyKept extends Error {
  override readonly name = 'OtherKeyKept';
}

/**
 * Thrown if the vault has no key for a person who already has events in the log, which means that the vault is older
 * than the log. No new key is created, because data sealed with a new key couldn't be opened once the original key is
 * restored.
 */
export class KeyMissing extends Error {
  override readonly name = 'KeyMissing';

  constructor(person: string) {
    super(`The key of person ${person} is missing: restore keys that are no older than the log.`);
  }
}

/** One 32-byte key per person, stored outside the log. Deleting a key erases that person's data everywhere (LOG3). */
export interface KeyVault {
  /** Returns the person's key once it is durable. Creates a key if there is none. Returns null for an erased person. */
  obtain(person: string): Promise<Buffer | null>;
  /** Returns the person's key, null for an erased person, or undefined for an unknown person. */
  find(person: string): Promise<Buffer | null | undefined>;
  erase(person: string): Promise<void>;
  /** Lists entries sorted by person id, including the entries of erased people. */
  list(after: string | null, limit: number): Promise<KeptKey[]>;
  /** Imports an entry from another vault. An erasure in either vault wins. @throws OtherKeyKept */
  restore(kept: KeptKey): Promise<void>;
}
