import type { JsonSchema } from './json-schema.ts';

/** The parts of the shop that are tried. */
export const PARTS = ['api', 'webhook', 'socket', 'provider', 'static', 'raw'] as const;
export type Part = (typeof PARTS)[number];

/** Who sends an input; the admin never calls what grants a role, so whatever is granted was taken. */
export type Sender = 'nobody' | 'customer' | 'neighbour' | 'admin' | 'forger';

/**
 * One HTTP request. `@product:3` in a path or body stands for a product that is there, `@spare:3` for one that may be changed
 * and removed, `@order:3` for an order and `@total:3` for its total, `@intent:3` for an intent that an earlier input has
 * started.
 */
export interface HttpInput {
  readonly part: Exclude<Part, 'raw'>;
  readonly sender: Sender;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** a webhook alone: signed with the real secret */
  readonly signed?: boolean;
}

/** Bytes written to a fresh connection, in turns; binary text. */
export interface RawInput {
  readonly part: 'raw' | 'socket';
  readonly chunks: readonly string[];
}

export type Input = HttpInput | RawInput;

/** One operation of the shop's OpenAPI document. */
export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly schema: JsonSchema }[];
  readonly body: JsonSchema | null;
}
