import type { PackingPush } from '../../contracts/packing.ts';

export const CLAIM_MS = 120_000;
/** As many orders as can be selected at once. */
export const MOST_CLAIMS = 200;

export interface Packer {
  /** a user id */
  readonly id: string;
  /** told to those who listen, and never kept */
  readonly name: string;
}

/** `until` in milliseconds since the epoch. */
export interface KeptClaim {
  readonly order: string;
  readonly admin: string;
  readonly until: number;
}

/** Who packs which order: a hint that ends by itself and decides nothing (PACK1). Rejects with PackingUnavailable alone. */
export interface PackingClaims {
  /**
   * Claims an order for `CLAIM_MS` from now, or renews the claim. Returns what is claimed now, which may be another admin's
   * whose claim has not ended; null for one order too many.
   */
  claim(order: string, by: Packer): Promise<KeptClaim | null>;
  /** Ends an admin's claim; false where there is none. */
  release(order: string, admin: string): Promise<boolean>;
  list(): Promise<KeptClaim[]>;
  close(): Promise<void>;
}

/** Tells of claims and of their release, not of those that end by themselves. Lossy. */
export interface PackingFeed {
  /** @returns a function that ends the subscription */
  subscribe(listener: (push: PackingPush) => void): () => void;
  close(): Promise<void>;
}

export class PackingUnavailable extends Error {
  override readonly name = 'PackingUnavailable';
}
