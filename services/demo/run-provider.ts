import type { Server } from 'node:net';
import { z } from 'zod';

export const replySchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ready') }),
  z.object({ kind: z.literal('failed'), reason: z.string() }),
]);

export interface Provider {
  /** Starts serving calls on this open port. */
  listen(port: Server): void;
  stop(): Promise<void>;
}

/**
 * Runs a provider as a child process of the shop. `open` resolves once the provider can serve calls, and the parent
 * sends the open port only after that. Ctrl-C also reaches the child, which ignores it so that the shop can finish its
 * payments. The child exits when the IPC channel closes, which happens whenever the parent exits, even if the parent
 * was killed with SIGKILL.
 */
export function runProvider<Settings>(
  schema: z.ZodType<Settings>,
  open: (settings: Settings) => Promise<Provider>,
): void {
  let stop = async () => {};
  // With a callback, `send` doesn't throw if the parent has exited.
  const reply = (message: z.infer<typeof replySchema>) => process.send?.(message, () => {});

  async function run(message: unknown): Promise<void> {
    try {
      const provider = await open(schema.parse(message));
      stop = provider.stop;
      process.once('message', (_message, port) => provider.listen(port as Server));
      reply({ kind: 'ready' });
    } catch (error) {
      reply({ kind: 'failed', reason: reasonOf(error) });
    }
  }

  process.on('SIGTERM', () => {});
  process.on('SIGINT', () => {});
  process.once('message', run);
  process.once('disconnect', async () => {
    await stop();
    process.exit(0);
  });
  // The parent may have exited while this program was loading, before the 'disconnect' listener was added.
  if (!process.connected) process.exit(0);
}

function reasonOf(error: unknown): string {
  if (error instanceof z.ZodError) return error.issues.map(({ message }) => message).join('; ');
  return error instanceof Error ? error.message : String(error);
}
