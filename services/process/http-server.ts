import { createServer, type RequestListener, type Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Config } from '../runtime/config.ts';
import { ReadableError } from '../runtime/readable-error.ts';

/** How long open requests may take to finish while the server shuts down, in ms. */
const DRAIN_MS = 4_000;
/**
 * How long an idle connection is kept open, in ms. Reverse proxies usually keep an idle connection for up to 60 s. If
 * the shop closed a connection first, a request already on its way could be lost.
 */
const KEEP_ALIVE_MS = 65_000;

export type ShopServer = Awaited<ReturnType<typeof openShopServer>>;

/**
 * Opens the port. Call this before starting the parts of the shop that need the returned origin.
 * @throws ReadableError if the port can't be opened
 */
export async function openShopServer(config: Config) {
  const { host, port } = config;
  // Imported on demand, so that the port opens sooner.
  let listener: RequestListener = async (request, response) => {
    const { answerWhileStarting } = await import('./answer-while-starting.ts');
    await answerWhileStarting(config, request, response);
  };
  const server = createServer((request, response) => listener(request, response));
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  answerOtherUpgrades(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(new ReadableError(portFault(error, host, port))));
    server.listen(port, host, resolve);
  });
  const address = server.address() as AddressInfo;
  return {
    server,
    origin: `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`,
    /** Sets the request listener. Until this is called, requests get a 503 response (START2). */
    answerWith(next: RequestListener): void {
      listener = next;
    },
    /** Stops accepting connections, waits up to 4 s for open requests to finish, then closes the remaining connections. */
    async close(): Promise<void> {
      if (!server.listening) return;
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeIdleConnections();
      const cut = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
      await closed;
      clearTimeout(cut);
    },
  };
}

/** Returns a line that says why the port can't be opened, and what to do (START1). */
export function portFault({ code, message }: NodeJS.ErrnoException, host: string, port: number): string {
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} on ${host} is taken by another program: set PORT to another one.`;
    case 'EACCES':
      return `Port ${port} on ${host} may be opened only by the system's administrator: set PORT to 1024 or above.`;
    case 'EADDRNOTAVAIL':
    case 'EAFNOSUPPORT':
      return `HOST ${host} is not an address of this machine: set HOST to one of its addresses, or to 127.0.0.1.`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `HOST ${host} cannot be resolved: set HOST to an IP address of this machine, or to 127.0.0.1.`;
    default:
      return `Port ${port} on ${host} cannot be opened: ${message}.`;
  }
}

/**
 * Responds over HTTP/1.1 to upgrade requests that aren't for the live gateway, for example requests to upgrade to h2c.
 * The gateway ignores requests for paths other than its own, so without this listener they would never get a response.
 */
function answerOtherUpgrades(server: Server): void {
  server.on('upgrade', (request, socket) => {
    const gateway = server.listenerCount('upgrade') > 1;
    if (gateway && request.url?.startsWith('/socket.io/')) return;
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    // Node's types declare this socket as a duplex stream, but for a TCP server it's always a Socket.
    response.assignSocket(socket as Socket);
    response.once('finish', () => {
      response.detachSocket(socket as Socket);
      socket.end();
    });
    socket.on('error', () => socket.destroy());
    server.emit('request', request, response);
  });
}
