import * as z from 'zod/mini';
import { wholeNumber } from './answers.ts';

/**
 * Facts about this deployment that the client needs. If `demoPublic` is true, the shop is a public demo, and every page
 * says so.
 */
export const clientConfigSchema = z.object({
  demoPublic: z.optional(z.boolean()),
  /** the smallest total that can be paid by card, in taka */
  paymentMinimum: z.optional(wholeNumber),
  stripe: z.object({ mode: z.enum(['demo', 'live']), publishableKey: z.string() }),
  firebase: z.discriminatedUnion('mode', [
    z.object({ mode: z.literal('demo'), projectId: z.string(), apiKey: z.string() }),
    z.object({ mode: z.literal('live'), config: z.record(z.string(), z.unknown()) }),
  ]),
});
export type ClientConfig = z.infer<typeof clientConfigSchema>;
