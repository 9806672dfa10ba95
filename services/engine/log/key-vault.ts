/** `key` is null for an erased person. */
export interface KeptKey {
  readonly person: string;
  readonly key: Buffer | null;
}

/** The person has another key here: data sealed with the given one could not be opened. */
export class OtherKeyKept extends Error {
  override readonly name = 'OtherKeyKept';
}

/** The keys are older than the log. With a new one, data would be sealed that the right keys, once restored, cannot open. */
export class KeyMissing extends Error {
  override readonly name = 'KeyMissing';

  constructor(person: string) {
    super(`The key of person ${person} is missing: restore keys that are no older than the log.`);
  }
}

/** One 32-byte key per person, outside the log; forgetting a key erases that person's data everywhere (LOG3). */
export interface KeyVault {
  /** Resolves once the key is durable, new or not; null for an erased person. */
  obtain(person: string): Promise<Buffer | null>;
  /** Null for an erased person, undefined for an unknown one. */
  find(person: string): Promise<Buffer | null | undefined>;
  erase(person: string): Promise<void>;
  /** In the order of person ids, erased persons included. */
  list(after: string | null, limit: number): Promise<KeptKey[]>;
  /** Takes over another vault's entry. An erasure, there or here, wins. @throws OtherKeyKept */
  restore(kept: KeptKey): Promise<void>;
}
