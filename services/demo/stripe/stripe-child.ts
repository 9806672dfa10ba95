import { z } from 'zod';
import { systemClock } from '../../runtime/clock.ts';
import { type ChildMessage, startMessageSchema } from './child-messages.ts';
import { randomObjectId } from './object-ids.ts';
import { createStripeSimulator, type StripeSimulator } from './simulator.ts';

/*
 * The simulator as a child process of the shop. A Ctrl-C reaches the whole process group: the child outlives it, so that
 * the shop can finish its payments, and ends when its parent does, which closes the IPC channel even on SIGKILL.
 */

let simulator: StripeSimulator | undefined;

function tell(message: ChildMessage): void {
  process.send?.(message);
}

async function start(message: unknown): Promise<void> {
  try {
    const { settings, port: wanted } = startMessageSchema.parse(message);
    simulator = createStripeSimulator({
      ...settings,
      clock: systemClock,
      newId: randomObjectId,
      onError: (error) => console.error('stripe simulator:', error),
    });
    const { port } = await simulator.start(wanted);
    tell({ kind: 'ready', port });
  } catch (error) {
    tell({ kind: 'failed', message: reasonOf(error) });
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof z.ZodError)
    return error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
  return error instanceof Error ? error.message : String(error);
}

process.on('SIGTERM', () => {});
process.on('SIGINT', () => {});
process.once('message', start);
process.once('disconnect', async () => {
  await simulator?.stop();
  process.exit(0);
});
