import * as z from 'zod/mini';

/**
 * An admin's claim that they are packing an order. The claim doesn't lock the order, and expires in `left` milliseconds
 * unless the admin renews it. A duration is sent rather than a time, because the receiver's clock may be wrong.
 */
export const packingClaimSchema = z.object({
  order: z.string(),
  by: z.object({ id: z.string(), name: z.string() }),
  left: z.number(),
});
export type PackingClaim = z.infer<typeof packingClaimSchema>;

/** The `packing` message sent to admins' sockets: another admin's claim, or `by: null` and `left: null` once the claim is released. */
export const packingPushSchema = z.union([
  packingClaimSchema,
  z.object({ order: z.string(), by: z.null(), left: z.null() }),
]);
export type PackingPush = z.infer<typeof packingPushSchema>;
