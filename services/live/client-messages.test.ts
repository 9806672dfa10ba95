import { describe, expect, it } from 'vitest';
import { type Client, connect, freshGateway, gateway, refused, untyped } from './live-gateway.fixture.ts';

freshGateway();

describe('messages from a client', () => {
  /** Resolves once the server has closed the connection. */
  const cutOff = (client: Client) => expect.poll(() => client.connected, { timeout: 5_000 }).toBe(false);

  it('RATE1 a single unknown message closes only the connection that sent it', async () => {
    const { client: quiet } = await connect();
    const { client } = await connect();
    untyped(client).emit('order', { quantity: 1 });
    await cutOff(client);
    expect(quiet.connected).toBe(true);
    await expect.poll(() => gateway.sockets()).toBe(1);
    expect(refused).toEqual(['unknown_message']);
  });

  it('RATE1 a connection that sends too many packets is closed, whatever kind of packets they are', async () => {
    const { client } = await connect();
    const engine = client.io.engine as unknown as { _sendPacket(type: 'pong'): void };
    const pongs = setInterval(() => {
      for (let n = 0; n < 10; n += 1) engine._sendPacket('pong');
    }, 5);
    await cutOff(client);
    clearInterval(pongs);
    expect(refused).toContain('too_many_packets');
  });
});
