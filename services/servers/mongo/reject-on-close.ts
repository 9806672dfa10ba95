import type { EventEmitter } from 'node:events';

export interface DriverConnection extends EventEmitter {
  error: Error | null;
  writeCommand(command: unknown, options: unknown): Promise<void>;
}

/**
 * Makes a pending write reject when its connection closes. The driver (7.8.0 and 7.9.0) waits for 'drain' or 'error',
 * but a socket that the other side has closed may emit neither. Without this change, the command that is being written
 * would hang until the process restarts.
 * @throws Error if a newer driver's connections work differently
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
