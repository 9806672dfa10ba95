/** Keeps one 32-byte key per person, outside the log; forgetting a key erases that person's data everywhere (LOG3). */
export interface KeyVault {
  /** The person's key, made and durable before it is answered; null for a person who was erased. */
  obtain(person: string): Promise<Buffer | null>;
  /** The person's key, or null where there is none or it was erased. */
  find(person: string): Promise<Buffer | null>;
  /** Forgets the key for good: it is never made again for this person. */
  erase(person: string): Promise<void>;
  close(): Promise<void>;
}
