import { connect } from 'node:net';
import { Server } from 'socket.io';
import { io } from 'socket.io-client';
import { expect, it, vi } from 'vitest';
import { openShopServer } from './http-server.ts';

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

it('S9 HTTP1 the server responds to an unsupported upgrade request over HTTP/1.1, and WebSocket connections for live updates still work', async () => {
  const shop = await openShopServer('127.0.0.1', 0);
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
    const shop = await openShopServer('127.0.0.1', 0);
    await shop.close();
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});
