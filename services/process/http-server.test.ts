import { connect } from 'node:net';
import { Server } from 'socket.io';
import { io } from 'socket.io-client';
import { expect, it, vi } from 'vitest';
import { readConfig } from '../runtime/config.ts';
import { openShopServer, portFault } from './http-server.ts';

/** Sends raw bytes. Resolves with everything received until the server closes the connection. */
async function sendRaw(origin: string, request: string): Promise<string> {
  const { hostname, port } = new URL(origin);
  let answer = '';
  await new Promise<void>((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(request));
    socket.on('data', (chunk) => {
      answer += chunk.toString();
    });
    socket.on('error', reject);
    socket.on('close', () => resolve());
  });
  return answer;
}

it('HTTP1 the server responds to an unsupported upgrade request over HTTP/1.1, and WebSocket connections for live updates still work', async () => {
  const shop = await openShopServer(readConfig({ PORT: '0' }));
  shop.answerWith((request, response) => response.end(`answered ${request.method} ${request.url}`));
  const gateway = new Server(shop.server, { transports: ['websocket'], serveClient: false, destroyUpgrade: false });
  const upgrade = (path: string, protocol: string) =>
    sendRaw(shop.origin, `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\n\r\n`);
  for (const [path, protocol] of [
    ['/products', 'h2c'],
    ['/products', 'websocket'],
  ] as const) {
    const answer = await upgrade(path, protocol);
    expect(answer, `${protocol} ${path}`).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(answer).toContain(`answered GET ${path}`);
  }
  const socket = io(shop.origin, { transports: ['websocket'] });
  await expect.poll(() => socket.connected).toBe(true);
  socket.disconnect();
  gateway.engine.close();
  await shop.close();
});

it('closing a server clears all of its timers, which would otherwise keep the process alive', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const shop = await openShopServer(readConfig({ PORT: '0' }));
    await shop.close();
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

it.each([
  ['EADDRINUSE', '127.0.0.1', 8080, /^Port 8080 on 127\.0\.0\.1 is taken by another program: set PORT .*\.$/],
  ['EACCES', '127.0.0.1', 80, /^Port 80 on 127\.0\.0\.1 .* administrator: set PORT to 1024 or above\.$/],
  ['EADDRNOTAVAIL', '10.1.2.3', 8080, /^HOST 10\.1\.2\.3 is not an address of this machine: set HOST .*\.$/],
  ['ENOTFOUND', 'nowhere.test', 8080, /^HOST nowhere\.test cannot be resolved: set HOST .*\.$/],
  ['EINVAL', '127.0.0.1', 8080, /^Port 8080 on 127\.0\.0\.1 cannot be opened: listen failed\.$/],
])(
  'START1 a port that cannot be opened because of %s is reported on one line that says which variable to set',
  (code, host, port, line) => {
    expect(portFault(Object.assign(new Error('listen failed'), { code }), host, port)).toMatch(line);
  },
);

it('START1 a server does not start at an address of another machine', async () => {
  const config = readConfig({ HOST: '192.0.2.1', PORT: '0', DEMO_PUBLIC: '1' });
  await expect(openShopServer(config)).rejects.toThrow(/^HOST 192\.0\.2\.1 is not an address of this machine/);
});
