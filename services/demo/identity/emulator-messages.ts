import { z } from 'zod';

/** What the parent tells the emulator's process at its start. */
export const emulatorSettingsSchema = z.object({
  kind: z.literal('settings'),
  /** where the users are kept; created where absent */
  dataFile: z.string().min(1),
  projectId: z.string().regex(/^demo-[a-z0-9-]{1,60}$/, 'The project id of the identity emulator begins with demo-.'),
  /** the address to listen on; port 0 takes a free one */
  listen: z.object({ host: z.string().min(1), port: z.number().int().min(0).max(65_535) }),
});
export type EmulatorSettings = z.infer<typeof emulatorSettingsSchema>;

/** What the emulator's process answers, once. */
export const emulatorReplySchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ready'), port: z.number().int().positive() }),
  z.object({ kind: z.literal('failed'), reason: z.string() }),
]);
export type EmulatorReply = z.infer<typeof emulatorReplySchema>;

/** The name under which this machine reaches a server that listens on `host`. */
export function reachableHost(host: string): string {
  return host === '0.0.0.0' ? '127.0.0.1' : host;
}
