import { z } from 'zod';

/**
 * A failed delivery is retried after `firstMs`, and the delay then doubles with each retry, up to `maxMs`. `attempts`
 * includes the first attempt.
 */
const retrySchema = z.strictObject({
  firstMs: z.number().int().positive().default(500),
  maxMs: z.number().int().positive().default(3_600_000),
  attempts: z.number().int().positive().default(80),
});

/** Accepts test keys only. */
export const simulatorSettingsSchema = z.strictObject({
  /** The path of the SQLite file. Its folder is created if it doesn't exist. */
  dataFile: z.string().min(1),
  secretKey: z.string().regex(/^sk_test_[A-Za-z0-9_]{8,200}$/, 'a secret key begins with sk_test_'),
  publishableKey: z.string().regex(/^pk_test_[A-Za-z0-9_]{8,200}$/, 'a publishable key begins with pk_test_'),
  webhookSecret: z.string().regex(/^whsec_[A-Za-z0-9+/=_-]{8,200}$/, 'a webhook secret begins with whsec_'),
  webhookUrl: z.url(),
  /** '*' subscribes to all event types */
  webhookEvents: z.array(z.string().min(1)).min(1).default(['*']),
  retry: retrySchema.prefault({}),
  webhookTimeoutMs: z.number().int().positive().default(10_000),
});
export type SimulatorSettings = z.input<typeof simulatorSettingsSchema>;
export type Settings = z.output<typeof simulatorSettingsSchema>;
