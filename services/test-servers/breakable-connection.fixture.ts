import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';

/** A way to a server that can be broken: while it is, connections end at the first byte that is sent over them. */
export interface BreakableConnection {
  /** `host:port` that stands for the server */
  readonly host: string;
  breakOff(): void;
  mend(): void;
  close(): Promise<void>;
}

/** Opens a way to the server at `host:port`. */
export async function openBreakableConnection(target: string): Promise<BreakableConnection> {
  const { hostname, port } = new URL(`tcp://${target}`);
  const open = new Set<Socket>();
  let broken = false;

  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    const end = () => {
      client.destroy();
      upstream.destroy();
      open.delete(client);
    };
    open.add(client);
    client.on('data', (bytes) => (broken ? end() : upstream.write(bytes)));
    upstream.on('data', (bytes) => client.write(bytes));
    for (const socket of [client, upstream]) socket.on('close', end).on('error', end);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    breakOff() {
      broken = true;
    },
    mend() {
      broken = false;
    },
    async close() {
      for (const client of open) client.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
