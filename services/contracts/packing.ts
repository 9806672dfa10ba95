import * as z from 'zod/mini';

/**
 * An admin says to be packing an order, which stops nobody. It ends in `left` milliseconds unless it is said again: not at a
 * time, since the clock of who reads it may be wrong.
 */
export const packingClaimSchema = z.object({
  order: z.string(),
  by: z.object({ id: z.string(), name: z.string() }),
  left: z.number(),
});
export type PackingClaim = z.infer<typeof packingClaimSchema>;

/** What the other admins' sockets get under `packing`: a claim, or nulls once it was given up. */
export const packingPushSchema = z.union([
  packingClaimSchema,
  z.object({ order: z.string(), by: z.null(), left: z.null() }),
]);
export type PackingPush = z.infer<typeof packingPushSchema>;
