import * as z from 'zod/mini';

/**
 * An admin's claim to be packing an order. It doesn't lock the order. The claim expires in `left` milliseconds unless
 * the admin renews it. A duration is sent rather than a time because the reader's clock may be wrong.
 */
export const packingClaimSchema = z.object({
  order: z.string(),
  by: z.object({ id: z.string(), name: z.string() }),
  left: z.number(),
});
export type PackingClaim = z.infer<typeof packingClaimSchema>;

/** The `packing` message to admins' sockets: the claim of another admin, or nulls once a claim is released. */
export const packingPushSchema = z.union([
  packingClaimSchema,
  z.object({ order: z.string(), by: z.null(), left: z.null() }),
]);
export type PackingPush = z.infer<typeof packingPushSchema>;
