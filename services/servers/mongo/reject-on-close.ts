import type { EventEmitter } from 'node:events';

export interface DriverConnection extends EventEmitter {
  error: Error | null;
  writeCommand(command: unknown, options: unknown): Promise<void>;
}

/**
 * Has every write of these connections reject once its connection closes. The driver (7.8.0, and 7.9.0) waits for the event
 * 'drain' or 'error' of a socket, and a socket that the other side has just ended may close with neither: the command
 * would never end, and whatever waits for it would stand still until a restart.
 * @throws Error where the driver's connections have changed: then this has to be looked at anew
 */
export function rejectOnClose(prototype: DriverConnection | undefined): void {
  const write = prototype?.writeCommand;
  if (!prototype || typeof write !== 'function')
    throw new Error('This MongoDB driver writes its commands in another way.');

  prototype.writeCommand = async function (this: DriverConnection, command, options) {
    let onClose = () => {};
    const closed = new Promise<never>((_, reject) => {
      onClose = () => reject(this.error ?? new Error('The connection was closed.'));
      this.once('close', onClose);
    });
    try {
      await Promise.race([write.call(this, command, options), closed]);
    } finally {
      this.off('close', onClose);
    }
  };
}
