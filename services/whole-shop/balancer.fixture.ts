import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { Duplex } from 'node:stream';

/**
 * The URLs of the processes that currently run each role, e.g. `http://127.0.0.1:4001`. They are looked up for every
 * request and WebSocket handshake.
 */
export interface Upstreams {
  api(): readonly string[];
  live(): readonly string[];
}

/** Starts a round-robin load balancer. Like nginx in production, it skips processes that refuse the connection. */
export async function startBalancer(upstreams: Upstreams): Promise<{ url: string; close(): Promise<void> }> {
  const upgraded = new Set<Duplex>();
  let turn = 0;
  const inTurns = (urls: readonly string[]) => {
    turn += 1;
    return urls.map((_, index) => new URL(urls[(index + turn) % urls.length] ?? ''));
  };

  async function forward(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    for (const target of inTurns(upstreams.api())) {
      if (await tryTarget(target, incoming, Buffer.concat(chunks), response)) return;
    }
    response.writeHead(502).end();
  }

  const server = createServer((incoming, response) => {
    forward(incoming, response).catch(() => response.destroy());
  });
  server.on('upgrade', (incoming, socket, head) => {
    socket.on('error', () => socket.destroy());
    upgraded.add(socket);
    socket.once('close', () => upgraded.delete(socket));
    connectInTurn(inTurns(upstreams.live()), incoming, socket, head);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      for (const socket of upgraded) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/**
 * Forwards a request to one process. Returns false if that process refuses the connection, so that the next one can be
 * tried.
 */
function tryTarget(target: URL, incoming: IncomingMessage, body: Buffer, response: ServerResponse): Promise<boolean> {
  return new Promise((resolve) => {
    const { method, url: path, headers } = incoming;
    const options = { host: target.hostname, port: target.port, method, path, headers };
    const outgoing = request(options, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
      answer.once('error', () => response.destroy());
      resolve(true);
    });
    outgoing.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') {
        resolve(false);
        return;
      }
      if (response.headersSent) response.destroy();
      else response.writeHead(502).end();
      resolve(true);
    });
    outgoing.end(body);
  });
}

function connectInTurn(targets: readonly URL[], incoming: IncomingMessage, socket: Duplex, head: Buffer): void {
  const [target, ...others] = targets;
  if (!target) {
    socket.destroy();
    return;
  }
  const upstream = connect(Number(target.port), target.hostname);
  upstream.once('connect', () => {
    upstream.removeAllListeners('error');
    upstream.on('error', () => socket.destroy());
    const lines = [`${incoming.method} ${incoming.url} HTTP/1.1`];
    for (let n = 0; n < incoming.rawHeaders.length; n += 2) {
      lines.push(`${incoming.rawHeaders[n]}: ${incoming.rawHeaders[n + 1]}`);
    }
    upstream.write(`${lines.join('\r\n')}\r\n\r\n`);
    upstream.write(head);
    upstream.pipe(socket);
    socket.pipe(upstream);
    socket.once('close', () => upstream.destroy());
    upstream.once('close', () => socket.destroy());
  });
  upstream.once('error', () => connectInTurn(others, incoming, socket, head));
}
