import type { JsonSchema } from './json-schema.ts';

/** The parts of the shop that are fuzzed. */
export const PARTS = ['api', 'webhook', 'socket', 'provider', 'static', 'raw'] as const;
export type Part = (typeof PARTS)[number];

/**
 * The sender of an input. The admin's inputs never call the route that grants the admin role, so any new grant is a
 * privilege escalation.
 */
export type Sender = 'nobody' | 'customer' | 'neighbour' | 'admin' | 'forger';

/**
 * One HTTP request. In a path or body, `@product:3` stands for a product that always exists, `@spare:3` for one that
 * inputs may change or remove, `@order:3` for an order, `@total:3` for that order's total, and `@intent:3` for a
 * payment intent that an earlier input created.
 */
export interface HttpInput {
  readonly part: Exclude<Part, 'raw'>;
  readonly sender: Sender;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** webhooks only: true if signed with the real secret */
  readonly signed?: boolean;
}

/** Bytes written to a new connection, chunk by chunk. Each character of a chunk is one byte (latin1). */
export interface RawInput {
  readonly part: 'raw' | 'socket';
  readonly chunks: readonly string[];
}

export type Input = HttpInput | RawInput;

/** One operation from the shop's OpenAPI document. */
export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly schema: JsonSchema }[];
  readonly body: JsonSchema | null;
}
