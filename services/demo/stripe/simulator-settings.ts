import { z } from 'zod';
import { retrySchema } from './delivery-queue.ts';

/** What a simulator is started with. Keys are test keys: a live one has no business here. */
export const simulatorSettingsSchema = z.strictObject({
  /** an SQLite file; its folder is made */
  dataFile: z.string().min(1),
  secretKey: z.string().regex(/^sk_test_[A-Za-z0-9_]{8,200}$/, 'a secret key begins with sk_test_'),
  publishableKey: z.string().regex(/^pk_test_[A-Za-z0-9_]{8,200}$/, 'a publishable key begins with pk_test_'),
  webhookSecret: z.string().regex(/^whsec_[A-Za-z0-9+/=_-]{8,200}$/, 'a webhook secret begins with whsec_'),
  /** where events are posted */
  webhookUrl: z.url(),
  /** the types of event that are posted, as an endpoint at Stripe names them; '*' is all */
  webhookEvents: z.array(z.string().min(1)).min(1).default(['*']),
  retry: retrySchema.prefault({}),
  /** an attempt that takes longer has failed */
  webhookTimeoutMs: z.number().int().positive().default(10_000),
});
export type SimulatorSettings = z.input<typeof simulatorSettingsSchema>;
