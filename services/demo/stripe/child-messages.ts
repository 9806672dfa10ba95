import { z } from 'zod';
import { simulatorSettingsSchema } from './simulator-settings.ts';

/** The parent's first and only message. Settings come this way, not by argv, since any user may read a command line. */
export const startMessageSchema = z.strictObject({
  kind: z.literal('start'),
  settings: simulatorSettingsSchema,
  port: z.number().int(),
});

/** The child's answer. */
export const childMessageSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('ready'), port: z.number().int() }),
  z.strictObject({ kind: z.literal('failed'), message: z.string() }),
]);
export type ChildMessage = z.output<typeof childMessageSchema>;
