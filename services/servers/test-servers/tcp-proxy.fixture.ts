import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Sits between a client and a server on 127.0.0.1, and simulates network failures. */
export interface TcpProxy {
  /** the port on 127.0.0.1 that clients connect to; it never changes */
  readonly port: number;
  /** Breaks every open connection, but still accepts new ones. */
  cut(): void;
  /** Breaks every open connection, and refuses new ones until restore() is called. */
  refuse(): Promise<void>;
  /** Delivers nothing to clients until restore() is called. Everything that clients send still reaches the server. */
  holdAnswers(): void;
  /** Accepts connections again, and delivers the data that was held back. */
  restore(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a proxy in front of `targetPort` on 127.0.0.1. */
export async function startTcpProxy(targetPort: number): Promise<TcpProxy> {
  /** Maps each client connection to the server connection that the proxy opened for it. */
  const pairs = new Map<Socket, Socket>();
  let holding = false;

  const server = createServer({ noDelay: true }, (client) => {
    const upstream = connect({ port: targetPort, host: '127.0.0.1', noDelay: true });
    const end = () => {
      pairs.delete(client);
      client.destroy();
      upstream.destroy();
    };
    pairs.set(client, upstream);
    for (const socket of [client, upstream]) socket.on('error', end).on('close', end);
    client.pipe(upstream);
    upstream.on('data', (bytes) => client.write(bytes));
    if (holding) upstream.pause();
  });

  async function listen(at: number): Promise<number> {
    server.listen(at, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  }

  function cut(): void {
    for (const client of [...pairs.keys()]) client.resetAndDestroy();
  }

  async function refuse(): Promise<void> {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    cut();
    await closed;
  }

  const port = await listen(0);
  return {
    port,
    cut,
    refuse,
    holdAnswers() {
      holding = true;
      for (const upstream of pairs.values()) upstream.pause();
    },
    async restore() {
      holding = false;
      for (const upstream of pairs.values()) upstream.resume();
      if (!server.listening) await listen(port);
    },
    close: refuse,
  };
}
