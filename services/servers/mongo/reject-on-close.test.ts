import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { type DriverConnection, rejectOnClose } from './reject-on-close.ts';

/** A fake connection whose writes resolve or reject as the test chooses. */
class Connection extends EventEmitter implements DriverConnection {
  error: Error | null = null;
  written = Promise.resolve();
  writeCommand(_command: unknown, _options: unknown): Promise<void> {
    return this.written;
  }
}
rejectOnClose(Connection.prototype);

describe('writes on a MongoDB driver connection', () => {
  it("LOG2 pending writes reject with their connection's error once the connection closes", async () => {
    const connection = new Connection();
    connection.written = new Promise(() => {});
    const write = connection.writeCommand({}, {});
    connection.error = new Error('connection 7 closed');
    connection.emit('close');
    await expect(write).rejects.toThrow('connection 7 closed');
  });

  it("LOG2 closing a connection doesn't change the outcome of writes that have already finished, and these writes leave no listeners behind", async () => {
    const connection = new Connection();
    await connection.writeCommand({}, {});
    connection.written = Promise.reject(new Error('read ECONNRESET'));
    await expect(connection.writeCommand({}, {})).rejects.toThrow('read ECONNRESET');
    expect(connection.listenerCount('close')).toBe(0);
    connection.emit('close');
  });

  it("rejectOnClose() throws if the MongoDB driver's connections have no writeCommand() method", () => {
    expect(() => rejectOnClose(undefined)).toThrow('This MongoDB driver writes its commands in another way.');
  });
});
