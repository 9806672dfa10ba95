import * as z from 'zod/mini';

/** An admin says to be packing an order until then, which stops nobody. */
export const packingClaimSchema = z.object({
  order: z.string(),
  by: z.object({ id: z.string(), name: z.string() }),
  until: z.iso.datetime(),
});
export type PackingClaim = z.infer<typeof packingClaimSchema>;

/** What admins' sockets get under `packing`: a claim, or nulls once it was given up. */
export const packingPushSchema = z.union([
  packingClaimSchema,
  z.object({ order: z.string(), by: z.null(), until: z.null() }),
]);
export type PackingPush = z.infer<typeof packingPushSchema>;
