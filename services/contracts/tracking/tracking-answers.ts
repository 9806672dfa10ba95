import * as z from 'zod/mini';

/** The token of an order's tracking link, or null while the link isn't shared. */
export const trackingLinkSchema = z.object({ token: z.nullable(z.string()) });
export type TrackingLink = z.infer<typeof trackingLinkSchema>;
