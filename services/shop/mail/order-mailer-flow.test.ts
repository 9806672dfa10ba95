import { describe, expect, it } from 'vitest';
import { streamName } from '../../contracts/ids.ts';
import type { MailDocument } from '../../contracts/mail/mail-document.ts';
import type { CommandHandler } from '../../engine/commands/command-handler.ts';
import {
  DAY,
  dying,
  EMAIL,
  eventsOf,
  follow,
  freshShop,
  MINUTE,
  mails,
  mailTypes,
  newMailer,
  run,
  server,
  ship,
  shop,
} from './mailing-shop.fixture.ts';

freshShop();

describe('e-mails about orders', () => {
  it('J1 MAIL1 when an order is placed, its customer gets one e-mail over SMTP, in plain text and HTML', async () => {
    const orderId = await shop.place();
    const mailer = newMailer();
    await follow(orderId, mailer);
    await run(mailer);
    const [mail, ...more] = server.received;
    expect(more).toEqual([]);
    expect(mail).toMatchObject({ to: EMAIL, messageId: `<placed.${orderId}@shop.example>` });
    for (const part of ['From: Micro Center <orders@shop.example>', 'Subject: Order MC-', 'multipart/alternative']) {
      expect(mail?.source).toContain(part);
    }
    expect(await mailTypes(orderId)).toEqual(['MailClaimed', 'MailSent']);
    expect(mailer.counts()).toEqual({ sent: 1, givenUp: 0, waiting: 0 });
    const kept = JSON.stringify(await shop.log.readStream(streamName('mail', orderId), 0, 100));
    for (const personal of [EMAIL, 'Rumi', 'Dhaka']) expect(kept).not.toContain(personal);
  });

  it('MAIL1 only one e-mail is sent, even if several copies of the shop handle the same event repeatedly', async () => {
    const orderId = await shop.place();
    const copies = [newMailer(), newMailer(), newMailer()];
    await shop.project();
    const events = await eventsOf(orderId);
    await Promise.all([...copies, ...copies].flatMap((copy) => events.map((event) => copy.follow(event))));
    await Promise.all(copies.map((copy) => copy.runOnce()));
    await shop.project();
    shop.advance(5 * MINUTE);
    await Promise.all(copies.map((copy) => copy.runOnce()));
    for (const event of events) await newMailer().follow(event);
    expect(server.received).toHaveLength(1);
    expect(await mailTypes(orderId)).toEqual(['MailClaimed', 'MailSent']);
  });

  it('MAIL1 if a process stops and its claim on an e-mail expires, only one other copy of the shop sends the e-mail', async () => {
    const orderId = await shop.place();
    const gone = newMailer();
    await gone.stop();
    await follow(orderId, gone);
    await run(newMailer());
    expect(server.received).toEqual([]);
    shop.advance(4 * MINUTE);
    const copies = [newMailer(), newMailer(), newMailer()];
    await Promise.all(copies.map((copy) => copy.runOnce()));
    await run(newMailer());
    expect(server.received).toHaveLength(1);
    expect(await mailTypes(orderId)).toEqual(['MailClaimed', 'MailClaimed', 'MailSent']);
  });

  it('MAIL1 after a crash between the mail server’s 250 response and the MailSent event, the mail is sent again under the same Message-ID', async () => {
    const orderId = await shop.place();
    const dies = newMailer({ handler: dying() });
    await follow(orderId, dies);
    await expect.poll(() => server.received.length).toBe(1);
    await dies.stop();
    shop.advance(4 * MINUTE);
    await run(newMailer());
    shop.advance(DAY / 2);
    await run(newMailer());
    const id = `<placed.${orderId}@shop.example>`;
    expect(server.received.map(({ messageId }) => messageId)).toEqual([id, id]);
    expect(await mailTypes(orderId)).toEqual(['MailClaimed', 'MailClaimed', 'MailSent']);
  });

  it('MAIL1 an e-mail that was sent while the store was down is not sent again', async () => {
    const orderId = await shop.place();
    const own = shop.newHandler();
    let failing = 2;
    const handler: CommandHandler = {
      ...own,
      execute: (decider, id, command, ...rest) => {
        if ((command as { type: string }).type !== 'RecordMailSent' || failing === 0) {
          return own.execute(decider, id, command, ...rest);
        }
        failing -= 1;
        return Promise.reject(new Error('the store is away'));
      },
    };
    const mailer = newMailer({ handler });
    await follow(orderId, mailer);
    await run(mailer);
    expect(await mailTypes(orderId)).toEqual(['MailClaimed', 'MailSent']);
    expect(server.received).toHaveLength(1);
  });

  it("MAIL1 a process that has sent an e-mail doesn't resend it, even if the store stays down until the e-mail's claim has expired", async () => {
    const orderId = await shop.place();
    const own = shop.newHandler();
    let comeBack = () => {};
    const back = new Promise<void>((resolve) => {
      comeBack = resolve;
    });
    const handler: CommandHandler = {
      ...own,
      execute: async (decider, id, command, ...rest) => {
        if ((command as { type: string }).type === 'RecordMailSent') await back;
        return own.execute(decider, id, command, ...rest);
      },
    };
    const mailer = newMailer({ handler });
    await follow(orderId, mailer);
    await expect.poll(() => server.received.length).toBe(1);
    shop.advance(4 * MINUTE);
    const scanned = mailer.runOnce();
    await shop.project();
    await expect.poll(() => mailer.counts().waiting).toBe(2);
    comeBack();
    await scanned;
    expect(server.received).toHaveLength(1);
    expect(await mailTypes(orderId)).toEqual(['MailClaimed', 'MailSent']);
  });

  it('MAIL2 no e-mail is sent about an event that is more than a day old', async () => {
    const orderId = await shop.place();
    await shop.project();
    shop.advance(DAY + 1);
    const mailer = newMailer();
    await follow(orderId, mailer);
    await run(mailer);
    expect(await mails(orderId)).toEqual([]);
  });

  it('MAIL3 the mail about a shipment is sent half a minute after the order is shipped', async () => {
    const orderId = await shop.place();
    const mailer = newMailer();
    await ship(orderId);
    await follow(orderId, mailer);
    await run(mailer);
    const ids = () => server.received.map(({ messageId }) => messageId.slice(1).split('.')[0]).sort();
    expect(ids()).toEqual(['paid', 'placed']);
    shop.advance(28_000);
    await run(mailer);
    expect(ids()).toEqual(['paid', 'placed']);
    shop.advance(3_000);
    await run(mailer);
    expect(ids()).toEqual(['paid', 'placed', 'shipped']);
  });

  it("MAIL2 the mailer gives up on an e-mail if the order's status has changed by the time the e-mail could be sent", async () => {
    const orderId = await shop.place();
    const gone = newMailer();
    await gone.stop();
    await follow(orderId, gone);
    await shop.cancel(orderId);
    await shop.project();
    shop.advance(4 * MINUTE);
    const mailer = newMailer();
    await run(mailer);
    expect(server.received).toEqual([]);
    expect((await mails(orderId)).at(-1)).toEqual({ type: 'MailGivenUp', mail: 'placed', reason: 'outdated' });
    await follow(orderId, mailer);
    await run(mailer);
    expect(server.received.map(({ messageId }) => messageId)).toEqual([`<cancelled.${orderId}@shop.example>`]);
  });

  it("PRJ3 an order's mail document shows which e-mails are still claimed, and until when", async () => {
    const orderId = await shop.place();
    const mailer = newMailer();
    await follow(orderId, mailer);
    await run(mailer);
    await ship(orderId);
    await follow(orderId, mailer);
    await run(mailer);
    const document = (await shop.readModels.get('mail', orderId)) as MailDocument;
    const states = document.mails.map(({ mail, status }) => [mail, status]);
    expect(Object.fromEntries(states)).toEqual({ placed: 'sent', paid: 'sent', shipped: 'claimed' });
    expect(document.claimedUntil).toBe(document.mails.find(({ mail }) => mail === 'shipped')?.until);
  });
});
