import * as z from 'zod/mini';
import { orderViewSchema, productViewSchema, reviewViewSchema, userViewSchema } from './views.ts';

/** When a change passed each hop, in milliseconds since the epoch. */
export const hopTimesSchema = z.object({ appended: z.number(), projected: z.number(), pushed: z.number() });
export type HopTimes = z.infer<typeof hopTimesSchema>;

const common = { id: z.string(), version: z.number().check(z.int(), z.positive()), at: hopTimesSchema };

/** One changed document as the server emits it under `view`. `view: null` says that it left the lists. */
export const viewPushSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('order'), ...common, view: z.nullable(orderViewSchema) }),
  z.object({ kind: z.literal('product'), ...common, view: z.nullable(productViewSchema) }),
  z.object({ kind: z.literal('user'), ...common, view: z.nullable(userViewSchema) }),
  z.object({ kind: z.literal('review'), ...common, view: z.nullable(reviewViewSchema) }),
]);
export type ViewPush = z.infer<typeof viewPushSchema>;

/** What a socket gives when it connects: the API's access token, or nothing for the catalogue alone. */
export const handshakeSchema = z.object({ token: z.optional(z.string().check(z.minLength(1), z.maxLength(4096))) });

/** Why a client must fetch again, or that what follows may be late. */
export const resyncSchema = z.object({ reason: z.enum(['roles_changed', 'recovered']) });
export type Resync = z.infer<typeof resyncSchema>;
export const liveStateSchema = z.object({ live: z.boolean() });
export type LiveState = z.infer<typeof liveStateSchema>;

/** socket.io's map of what the server emits. Clients emit nothing. */
export interface ServerToClientEvents {
  view: (push: ViewPush) => void;
  resync: (resync: Resync) => void;
  live: (state: LiveState) => void;
}
export type ClientToServerEvents = Record<string, never>;
