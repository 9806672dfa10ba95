import type { PackingPush } from '../../contracts/packing.ts';

export const CLAIM_MS = 120_000;
/** The number of orders that can be selected at once. */
export const MOST_CLAIMS = 200;

export interface Packer {
  /** a user id */
  readonly id: string;
  /** sent to listeners and never stored */
  readonly name: string;
}

/** `until` is in milliseconds since the epoch. */
export interface KeptClaim {
  readonly order: string;
  readonly admin: string;
  readonly until: number;
}

/**
 * Which admin is packing which order. A claim is a hint that expires on its own and decides nothing (PACK1). Methods
 * reject only with PackingUnavailable.
 */
export interface PackingClaims {
  /**
   * Claims an order for `CLAIM_MS` from now, or renews the admin's claim. Returns the claim now in force, which may be
   * another admin's. Returns null if the admin already holds `MOST_CLAIMS` other claims.
   */
  claim(order: string, by: Packer): Promise<KeptClaim | null>;
  /** Ends an admin's claim. Returns false if there is none. */
  release(order: string, admin: string): Promise<boolean>;
  list(): Promise<KeptClaim[]>;
  close(): Promise<void>;
}

/** Notifies listeners of claims and releases, but not of claims that expire. Delivery is lossy. */
export interface PackingFeed {
  /** @returns a function that ends the subscription */
  subscribe(listener: (push: PackingPush) => void): () => void;
  close(): Promise<void>;
}

export class PackingUnavailable extends Error {
  override readonly name = 'PackingUnavailable';
}
