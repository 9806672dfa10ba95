import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { orderPlacedSchema } from '../contracts/order/order-answers.ts';
import { openEmbeddedCore } from '../embedded/embedded-core.ts';
import { openSmtp } from '../process/smtp.ts';
import { createLogger } from '../runtime/log.ts';
import { mailsToSend } from '../shop/mail/mail-documents.ts';
import { createOrderMailer } from '../shop/mail/order-mailer-flow.ts';
import { startSmtpServer } from '../shop/mail/smtp-server.fixture.ts';
import { LIGHT_ADMIN } from './light-shop.fixture.ts';
import { repetitions } from './long-run.fixture.ts';
import { plainIdentity } from './plain-identity.fixture.ts';
import { startReadyProcess } from './ready-process.fixture.ts';
import { addProduct, orderOf, type Person, signIn } from './shop-client.fixture.ts';
import { freshDataDir } from './shop-process.fixture.ts';

const KILLS = repetitions({ few: 2, many: 20 });
const BUYERS = 8;
/** How far the clock is moved forward, in ms. After this time, the first and second claims on every e-mail have expired. */
const AFTER_CLAIMS_MS = 10 * 60_000;

/** Places orders until the shop is killed, and adds the ids of acknowledged orders to `placed`. */
async function buyUntilGone(buyer: Person, product: string, placed: Set<string>): Promise<void> {
  for (;;) {
    try {
      const answer = await buyer.call('POST', '/orders', orderOf(buyer, product));
      if (answer.status === 201) placed.add(orderPlacedSchema.parse(answer.body).insertedId);
    } catch {
      return;
    }
  }
}

it(`J1 MAIL1 each order's e-mail is sent despite ${KILLS} SIGKILLs under load, and is sent twice only if the shop was killed before it recorded MailSent`, async () => {
  const data = freshDataDir();
  const server = await startSmtpServer();
  const placed = new Set<string>();
  const startShop = () => startReadyProcess('light-shop-process', [data.path, server.url]);
  let shop = await startShop();
  try {
    const product = await addProduct(await signIn(shop.url, LIGHT_ADMIN), { quantity: 100_000 });
    for (let round = 1; round <= KILLS; round += 1) {
      const buyers = await Promise.all(
        Array.from({ length: BUYERS }, (_, n) => signIn(shop.url, `buyer${n}@shop.test`)),
      );
      const [ordersBefore, mailsBefore] = [placed.size, server.received.length];
      const buying = buyers.map((buyer) => buyUntilGone(buyer, product, placed));
      await expect.poll(() => placed.size, { interval: 1, timeout: 20_000 }).toBeGreaterThan(ordersBefore + 20);
      await expect.poll(() => server.received.length, { interval: 1, timeout: 20_000 }).toBeGreaterThan(mailsBefore);
      await shop.kill();
      await Promise.all(buying);
      shop = await startShop();
    }
    await shop.stop();
    const beforeRepeats = new Set(server.received.map(({ messageId }) => messageId));
    expect(server.received).toHaveLength(beforeRepeats.size);

    const clock = () => Date.now() + AFTER_CLAIMS_MS;
    const logger = createLogger('error');
    const core = openEmbeddedCore({ dataDir: data.path, clock, logger });
    const smtp = openSmtp({ smtpUrl: server.url, from: 'orders@shop.example' });
    const projecting = await core.startProjecting(async () => new Set());
    const mailer = createOrderMailer({
      handler: core.handler,
      source: core,
      identity: plainIdentity,
      send: smtp.send,
      clock,
      logger,
      newId: randomUUID,
      origin: shop.url,
    });
    const unsent = async () => (await core.readModels.find(mailsToSend('9'), { limit: 1 })).length;
    while ((await unsent()) > 0) {
      await mailer.runOnce();
      await projecting.consumer.caughtUp();
    }
    await mailer.stop();
    smtp.close();
    await core.close();

    const times = new Map<string, number>();
    for (const { messageId } of server.received) {
      const orderId = /^<placed\.([0-9a-f]+)@/.exec(messageId)?.[1] ?? messageId;
      times.set(orderId, (times.get(orderId) ?? 0) + 1);
    }
    expect([...placed].filter((orderId) => !times.has(orderId))).toEqual([]);
    const twice = [...times.values()].filter((count) => count === 2).length;
    expect([...times.values()].filter((count) => count > 2)).toEqual([]);
    // Only e-mails that were in flight when the shop was killed can be sent twice.
    expect(twice).toBeLessThanOrEqual(KILLS * 8);
    console.info(`${KILLS} kills: ${placed.size} orders acknowledged, ${times.size} mailed, ${twice} of them twice`);
  } finally {
    await shop.kill();
    await server.close();
    data.remove();
  }
}, 600_000);
