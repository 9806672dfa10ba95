import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Stands between a client and a server of 127.0.0.1, and breaks what lies between them. */
export interface TcpProxy {
  /** where clients connect, on 127.0.0.1; it stays the same */
  readonly port: number;
  /** Breaks every open connection; new ones are taken. */
  cut(): void;
  /** Breaks every open connection, and refuses new ones until restore(). */
  refuse(): Promise<void>;
  /** From now on nothing reaches a client, while all that clients send still reaches the server. */
  holdAnswers(): void;
  /** Takes connections again, and hands over what was held. */
  restore(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a proxy before `targetPort` of 127.0.0.1. */
export async function startTcpProxy(targetPort: number): Promise<TcpProxy> {
  /** each client's connection, and that to the server on its behalf */
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
