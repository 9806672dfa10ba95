import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { SMTPServer } from 'smtp-server';

/**
 * How the mail server treats an e-mail. `refuse` rejects it temporarily. The three `reject` values permanently reject
 * its recipient, its content or its sender (the shop). `hang` never responds to the recipient command. `drop` closes
 * the connection after the e-mail's last byte, without a response.
 */
type Behaviour = 'take' | 'refuse' | 'reject' | 'reject content' | 'reject sender' | 'hang' | 'drop';

const answer = (responseCode: number, words: string) => Object.assign(new Error(words), { responseCode });

export interface ReceivedMail {
  readonly to: string;
  readonly source: string;
  readonly messageId: string;
}

/** Starts a real SMTP server on the loopback interface. Tests control how the server behaves. */
export async function startSmtpServer() {
  const received: ReceivedMail[] = [];
  let behaviour: Behaviour = 'take';
  let attempts = 0;
  const sockets = new Set<Socket>();
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    closeTimeout: 50,
    onMailFrom(_address, _session, callback) {
      callback(behaviour === 'reject sender' ? answer(550, 'not from here') : undefined);
    },
    onRcptTo(_address, _session, callback) {
      attempts += 1;
      if (behaviour === 'hang') return;
      if (behaviour === 'refuse') callback(answer(450, 'not now'));
      else if (behaviour === 'reject') callback(answer(550, 'no such person'));
      else callback();
    },
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const source = Buffer.concat(chunks).toString();
        const [to] = session.envelope.rcptTo.map(({ address }) => address);
        const messageId = /^Message-ID: (.+)$/im.exec(source)?.[1] ?? '';
        if (behaviour === 'reject content') {
          callback(answer(554, 'not such a mail'));
          return;
        }
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
    connections: () => sockets.size,
    behave(next: Behaviour) {
      behaviour = next;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
