import type { PackingPush } from '../../contracts/packing/packing.ts';
import type { ProblemError } from '../../contracts/problem-error.ts';

export const CLAIM_MS = 120_000;
/** The maximum number of orders that an admin can claim at a time, which is also the most that one request can ship. */
export const MOST_CLAIMS = 200;

export interface Packer {
  /** a user id */
  readonly id: string;
  /** the admin's display name, which is sent to listeners and never stored */
  readonly name: string;
}

/** `until` is in milliseconds since the epoch. */
export interface KeptClaim {
  readonly order: string;
  readonly userId: string;
  readonly until: number;
}

/**
 * Records which admin is packing which order. A claim is only a hint. It expires on its own and doesn't prevent anyone
 * from shipping the order (PACK1). The methods reject only with PackingUnavailable.
 */
export interface PackingClaims {
  /**
   * Claims an order for `CLAIM_MS` from now, or renews the admin's claim. Returns the claim now in force, which may be
   * another admin's. Returns null if the admin already holds `MOST_CLAIMS` other claims.
   */
  claim(order: string, by: Packer): Promise<KeptClaim | null>;
  /** Releases an admin's claim on an order. Returns false if the admin has no claim on it. */
  release(order: string, userId: string): Promise<boolean>;
  list(): Promise<KeptClaim[]>;
  close(): Promise<void>;
}

/** Notifies listeners of claims and releases, but not when a claim expires. Notifications can get lost. */
export interface PackingFeed {
  /** @returns a function that ends the subscription */
  subscribe(listener: (push: PackingPush) => void): () => void;
  close(): Promise<void>;
}

export class PackingUnavailable extends Error implements ProblemError {
  override readonly name = 'PackingUnavailable';
  readonly problem = 'packing_unavailable';
}
