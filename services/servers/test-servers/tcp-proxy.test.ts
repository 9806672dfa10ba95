import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.fixture.ts';

describe('TCP proxy between a test and a server', () => {
  let server: Server;
  let proxy: TcpProxy;
  let received: string;
  beforeEach(async () => {
    received = '';
    server = createServer((socket) => {
      socket.on('error', () => {});
      socket.on('data', (bytes) => {
        received += bytes;
        socket.write(`got ${bytes}`);
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    proxy = await startTcpProxy((server.address() as AddressInfo).port);
  });
  afterEach(async () => {
    await proxy.close();
    server.close();
  });

  async function client(): Promise<{ socket: Socket; answers: () => string; error: Promise<Error> }> {
    const socket = connect(proxy.port, '127.0.0.1');
    let answers = '';
    socket.on('data', (bytes) => {
      answers += bytes;
    });
    const error = new Promise<Error>((resolve) => socket.on('error', resolve));
    await once(socket, 'connect');
    return { socket, answers: () => answers, error };
  }

  it('the proxy passes data in both directions, and accepts new connections after cut()', async () => {
    const first = await client();
    first.socket.write('a');
    await expect.poll(first.answers).toBe('got a');
    proxy.cut();
    expect(await first.error).toMatchObject({ code: 'ECONNRESET' });
    const second = await client();
    second.socket.write('b');
    await expect.poll(second.answers).toBe('got b');
  });

  it('the proxy holds back responses on old and new connections, while the server still receives every request', async () => {
    const before = await client();
    before.socket.write('a');
    await expect.poll(before.answers).toBe('got a');
    proxy.holdAnswers();
    const after = await client();
    before.socket.write('b');
    await expect.poll(() => received).toBe('ab');
    after.socket.write('c');
    await expect.poll(() => received).toBe('abc');
    expect([before.answers(), after.answers()]).toEqual(['got a', '']);
    await proxy.restore();
    await expect.poll(before.answers).toBe('got agot b');
    await expect.poll(after.answers).toBe('got c');
  });

  it('after refuse(), the proxy refuses connections until it is restored, and then accepts them on the same port', async () => {
    const before = await client();
    await proxy.refuse();
    expect(await before.error).toMatchObject({ code: 'ECONNRESET' });
    const refused = connect(proxy.port, '127.0.0.1');
    expect((await once(refused, 'error'))[0]).toMatchObject({ code: 'ECONNREFUSED' });
    await proxy.restore();
    const after = await client();
    after.socket.write('a');
    await expect.poll(after.answers).toBe('got a');
  });
});
