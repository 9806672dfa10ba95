/** A person's key, or null for a person who was erased. */
export interface KeptKey {
  readonly person: string;
  readonly key: Buffer | null;
}

/** The person has another key here: what was sealed with the one given could not be opened. */
export class OtherKeyKept extends Error {
  override readonly name = 'OtherKeyKept';
}

/**
 * A person with events in the log has no key here: the keys are older than the log. None is made, for what is sealed with it
 * could not be read once the right keys are back.
 */
export class KeyMissing extends Error {
  override readonly name = 'KeyMissing';

  constructor(person: string) {
    super(`The key of person ${person} is missing: restore keys that are no older than the log.`);
  }
}

/** Keeps one 32-byte key per person, outside the log; forgetting a key erases that person's data everywhere (LOG3). */
export interface KeyVault {
  /** The person's key, made and durable before it is answered; null for a person who was erased. */
  obtain(person: string): Promise<Buffer | null>;
  /** The person's key; null for a person who was erased, undefined for one who has none here. */
  find(person: string): Promise<Buffer | null | undefined>;
  /** Forgets the key for good: it is never made again for this person. */
  erase(person: string): Promise<void>;
  /** Up to `limit` of those kept, persons who were erased among them, after a person in the order of their ids. */
  list(after: string | null, limit: number): Promise<KeptKey[]>;
  /** Takes over what another vault kept. An erasure, there or here, wins. @throws OtherKeyKept */
  restore(kept: KeptKey): Promise<void>;
  close(): Promise<void>;
}
