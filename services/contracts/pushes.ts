import * as z from 'zod/mini';
import { orderViewSchema } from './order/order-view.ts';
import type { PackingPush } from './packing/packing.ts';
import { userViewSchema } from './people/user-view.ts';
import { productViewSchema } from './product/product-view.ts';
import { reviewViewSchema } from './review/review-view.ts';
import { trackingViewSchema } from './tracking/tracking-view.ts';

/** The times at which a change passed through each hop, in milliseconds since the epoch. */
const hopTimesSchema = z.object({ appended: z.number(), projected: z.number(), pushed: z.number() });

const common = { id: z.string(), version: z.number().check(z.int(), z.positive()), at: hopTimesSchema };

/** A changed document, as broadcast to the gateways. `view: null` means that the document no longer appears in lists. */
export const documentPushSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('order'), ...common, view: z.nullable(orderViewSchema) }),
  z.object({ kind: z.literal('product'), ...common, view: z.nullable(productViewSchema) }),
  z.object({ kind: z.literal('user'), ...common, view: z.nullable(userViewSchema) }),
  z.object({ kind: z.literal('review'), ...common, view: z.nullable(reviewViewSchema) }),
]);
export type DocumentPush = z.infer<typeof documentPushSchema>;

/**
 * The `view` message sent to sockets: a changed document, or the order behind a tracking link. For a tracking link,
 * `view: null` means that the link is no longer valid.
 */
export const viewPushSchema = z.discriminatedUnion('kind', [
  documentPushSchema,
  z.object({ kind: z.literal('tracking'), ...common, view: z.nullable(trackingViewSchema) }),
]);
export type ViewPush = z.infer<typeof viewPushSchema>;

const credential = z.string().check(z.minLength(1), z.maxLength(4096));

/**
 * A socket's credential: an access token, or a tracking link's token, which gives access to a single order. A socket
 * without a token gets only the catalogue.
 */
export const handshakeSchema = z.union([
  z.object({ tracking: credential, token: z.optional(z.undefined()) }),
  z.object({ token: z.optional(credential), tracking: z.optional(z.undefined()) }),
]);
export type Handshake = z.infer<typeof handshakeSchema>;

export const resyncSchema = z.object({ reason: z.enum(['roles_changed', 'recovered']) });
export type Resync = z.infer<typeof resyncSchema>;
export const liveStateSchema = z.object({ live: z.boolean() });
export type LiveState = z.infer<typeof liveStateSchema>;

export interface ServerToClientEvents {
  view: (push: ViewPush) => void;
  packing: (push: PackingPush) => void;
  resync: (resync: Resync) => void;
  live: (state: LiveState) => void;
}
/** Clients emit nothing. */
export type ClientToServerEvents = Record<string, never>;
