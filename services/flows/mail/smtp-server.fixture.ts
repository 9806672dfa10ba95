import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { SMTPServer } from 'smtp-server';

/** What the mail server does with a mail: `drop` ends the connection after the mail's last byte, without an answer. */
type Behaviour = 'take' | 'refuse' | 'hang' | 'drop';

export interface ReceivedMail {
  readonly to: string;
  readonly source: string;
  readonly messageId: string;
}

/** A real SMTP server on loopback that behaves as a test says. */
export async function startSmtpServer() {
  const received: ReceivedMail[] = [];
  let behaviour: Behaviour = 'take';
  let attempts = 0;
  const sockets = new Set<Socket>();
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    closeTimeout: 50,
    onRcptTo(_address, _session, callback) {
      attempts += 1;
      if (behaviour === 'hang') return;
      if (behaviour === 'refuse') {
        callback(Object.assign(new Error('no such person'), { responseCode: 550 }));
        return;
      }
      callback();
    },
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const source = Buffer.concat(chunks).toString();
        const [to] = session.envelope.rcptTo.map(({ address }) => address);
        const messageId = /^Message-ID: (.+)$/im.exec(source)?.[1] ?? '';
        received.push({ to: to ?? '', source, messageId });
        if (behaviour === 'drop') for (const socket of sockets) socket.destroy();
        else callback();
      });
    },
  });
  server.on('error', () => {});
  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    attempts: () => attempts,
    behave(next: Behaviour) {
      behaviour = next;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
