import * as z from 'zod/mini';
import { orderViewSchema, productViewSchema, reviewViewSchema, userViewSchema } from './views.ts';

/** When a change passed each hop, in milliseconds since the epoch. */
const hopTimesSchema = z.object({ appended: z.number(), projected: z.number(), pushed: z.number() });

const common = { id: z.string(), version: z.number().check(z.int(), z.positive()), at: hopTimesSchema };

/** A changed document, emitted under `view`. `view: null` means that it left the lists. */
export const viewPushSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('order'), ...common, view: z.nullable(orderViewSchema) }),
  z.object({ kind: z.literal('product'), ...common, view: z.nullable(productViewSchema) }),
  z.object({ kind: z.literal('user'), ...common, view: z.nullable(userViewSchema) }),
  z.object({ kind: z.literal('review'), ...common, view: z.nullable(reviewViewSchema) }),
]);
export type ViewPush = z.infer<typeof viewPushSchema>;

/** Without an access token a socket gets the catalogue alone. */
export const handshakeSchema = z.object({ token: z.optional(z.string().check(z.minLength(1), z.maxLength(4096))) });

export const resyncSchema = z.object({ reason: z.enum(['roles_changed', 'recovered']) });
export type Resync = z.infer<typeof resyncSchema>;
export const liveStateSchema = z.object({ live: z.boolean() });
export type LiveState = z.infer<typeof liveStateSchema>;

export interface ServerToClientEvents {
  view: (push: ViewPush) => void;
  resync: (resync: Resync) => void;
  live: (state: LiveState) => void;
}
/** Clients emit nothing. */
export type ClientToServerEvents = Record<string, never>;
