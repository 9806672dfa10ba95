import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { streamName } from '../../contracts/ids.ts';
import { createPeople } from '../../identity/people.fixture.ts';
import { openSmtp, type Smtp } from '../../process/smtp.ts';
import { isoTime } from '../../runtime/clock.ts';
import { META, newId, type PayingShop, startPayingShop } from '../payment/paying-shop.fixture.ts';
import { userDecider } from '../people/decide-user.ts';
import { shopProjection } from '../projection.ts';
import { createOrderMailer, type OrderMailer } from './order-mailer-flow.ts';
import { startSmtpServer } from './smtp-server.fixture.ts';

const EMAIL = 'rumi@micro-center.test';

describe('a mailer with an empty queue', () => {
  let shop: PayingShop;
  let server: Awaited<ReturnType<typeof startSmtpServer>>;
  let smtp: Smtp;
  let mailer: OrderMailer;
  /** the mailer's timers that are still running */
  let ticking: (() => void)[];
  beforeEach(async () => {
    shop = await startPayingShop();
    server = await startSmtpServer();
    smtp = openSmtp({ smtpUrl: server.url, from: 'Micro Center <orders@shop.example>' });
    const people = createPeople();
    people.put('uid-1', EMAIL);
    const person = { userId: META.actor, uid: 'uid-1', email: EMAIL, name: 'Rumi' };
    const register = { type: 'RegisterUser', ...person, grantAdmin: false } as const;
    const time = isoTime(shop.clock());
    await shop.handler.execute(userDecider, META.actor, register, { ...META, cause: newId(), time });
    ticking = [];
    const { log, sealing, readModels, clock, logger } = shop;
    mailer = createOrderMailer({
      ...{ handler: shop.newHandler(), source: { log, sealing, readModels, projection: shopProjection } },
      ...{ identity: people.identity, send: smtp.send, clock, newId, logger, origin: 'https://shop.example' },
      every(_, callback) {
        ticking.push(callback);
        return () => {
          ticking = ticking.filter((one) => one !== callback);
        };
      },
    });
  });
  afterEach(async () => {
    await mailer.stop();
    smtp.close();
    await server.close();
    await shop.close();
  });

  /** Places an order and passes its events to the mailer, as the policies do. */
  async function place(): Promise<void> {
    const orderId = await shop.place();
    await shop.project();
    const events = await shop.sealing.openAll(await shop.log.readStream(streamName('order', orderId), 0, 1000));
    for (const event of events) await mailer.follow(event);
  }

  it('MAIL4 a mailer whose queue has become empty sends the next e-mail without waiting for a scan', async () => {
    for (const count of [1, 2]) {
      await place();
      await expect.poll(() => server.received.length, { timeout: 20_000 }).toBe(count);
    }
  });

  it('MAIL4 a mailer keeps its SMTP connection open for further e-mails until its transport is closed', async () => {
    await place();
    await expect.poll(() => server.received.length, { timeout: 20_000 }).toBe(1);
    expect(server.connections()).toBe(1);
    smtp.close();
    await expect.poll(server.connections).toBe(0);
  });

  it("MAIL1 a stopped mailer doesn't send the e-mails that it has claimed", async () => {
    await place();
    await mailer.stop();
    await mailer.runOnce();
    expect(server.attempts()).toBe(0);
    expect(mailer.counts()).toMatchObject({ sent: 0, waiting: 1 });
  });

  it('MAIL1 a stopped mailer no longer scans for e-mails', async () => {
    mailer.start();
    expect(ticking).toHaveLength(1);
    await mailer.stop();
    expect(ticking).toEqual([]);
  });
});
