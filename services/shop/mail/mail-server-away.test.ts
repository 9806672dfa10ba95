import { describe, expect, it } from 'vitest';
import { streamName } from '../../contracts/ids.ts';
import { createPolicies } from '../../process/policies.ts';
import {
  DAY,
  EMAIL,
  eventsOf,
  follow,
  freshShop,
  MINUTE,
  mails,
  mailTypes,
  newMailer,
  PATIENT,
  run,
  server,
  shop,
} from './mailing-shop.fixture.ts';
import { MailRefused, type OutgoingMail } from './send-mail.ts';

freshShop();

describe('e-mails about orders', () => {
  it('MAIL4 an e-mail is retried under the same Message-ID if the mail server refuses it temporarily or drops the connection', async () => {
    const orderId = await shop.place();
    const mailer = newMailer();
    server.behave('refuse');
    await follow(orderId, mailer);
    await run(mailer);
    expect(await mailTypes(orderId)).toEqual(['MailClaimed']);
    server.behave('drop');
    shop.advance(4 * MINUTE);
    await run(mailer);
    expect(await mailTypes(orderId)).toEqual(['MailClaimed', 'MailClaimed']);
    server.behave('take');
    shop.advance(10 * MINUTE);
    await run(mailer);
    expect(await mailTypes(orderId)).toEqual(['MailClaimed', 'MailClaimed', 'MailClaimed', 'MailSent']);
    expect(new Set(server.received.map(({ messageId }) => messageId)).size).toBe(1);
    for (const line of shop.lines) expect(line).not.toContain(EMAIL);
  });

  it('MAIL4 FEED2 an event counts as processed once its mail is claimed, even if the mail server hangs', async () => {
    server.behave('hang');
    const mailer = newMailer();
    const policies = createPolicies({ ...shop.scanSettings, mailer });
    const orders = [];
    for (let count = 0; count < 5; count += 1) orders.push(await shop.place());
    await shop.project();
    for (const orderId of orders) expect(await policies.run(await eventsOf(orderId))).toEqual(new Set());
    await expect.poll(server.attempts).toBe(4);
    expect(mailer.counts()).toMatchObject({ sent: 0, waiting: 5 });
    for (const orderId of orders) expect(await mailTypes(orderId)).toEqual(['MailClaimed']);
  });

  it('MAIL4 e-mails that have to wait because of the limit on concurrent sends are sent as soon as earlier sends finish, without waiting for a scan', async () => {
    let begun = 0;
    const left: string[] = [];
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const mailer = newMailer({
      atOnce: 1,
      send: async ({ messageId }) => {
        begun += 1;
        await held;
        left.push(messageId);
      },
    });
    for (let count = 0; count < 5; count += 1) await follow(await shop.place(), mailer);
    await expect.poll(() => begun, PATIENT).toBe(1);
    letGo();
    await expect.poll(() => new Set(left).size, PATIENT).toBe(5);
  });

  it('MAIL4 after failing to reach the mail server, the mailer pauses before its next attempt, even if other e-mails are due', async () => {
    let tries = 0;
    const gone = newMailer();
    await gone.stop();
    for (let count = 0; count < 5; count += 1) await follow(await shop.place(), gone);
    shop.advance(4 * MINUTE);
    const mailer = newMailer({
      send: async () => {
        tries += 1;
        throw new Error('connect ECONNREFUSED');
      },
    });
    await run(mailer);
    // The mailer attempts four e-mails at the same time. Their failures pause sending, so the fifth e-mail has to wait.
    expect(tries).toBe(4);
    await run(mailer);
    expect(tries).toBe(4);
    shop.advance(10_000);
    await run(mailer);
    expect(tries).toBe(5);
  });

  it('MAIL4 a successful send resets the back-off, so the next failure pauses the mailer only for the shortest delay', async () => {
    let away = true;
    let tries = 0;
    const mailer = newMailer({
      send: async () => {
        tries += 1;
        if (away) throw new Error('connect ECONNREFUSED');
      },
    });
    /** Places one more order and returns how many times the mailer tries to send an e-mail. */
    const triesAfterOrder = async () => {
      const before = tries;
      await follow(await shop.place(), mailer);
      await run(mailer);
      return tries - before;
    };
    for (let failures = 0; failures < 2; failures += 1) {
      expect(await triesAfterOrder()).toBe(1);
      shop.advance(20_000);
    }
    away = false;
    expect(await triesAfterOrder()).toBe(1);
    away = true;
    expect(await triesAfterOrder()).toBe(1);
    // After one failure, sending pauses for one second. After three failures in a row, it would pause for four seconds.
    shop.advance(2_000);
    expect(await triesAfterOrder()).toBe(1);
  });

  it('MAIL4 a refused e-mail doesn’t keep other e-mails from being sent', async () => {
    const [refused, taken] = [await shop.place(), await shop.place()];
    const left: OutgoingMail[] = [];
    const mailer = newMailer({
      send: async (mail) => {
        if (mail.messageId.includes(refused)) throw new MailRefused(450, false);
        left.push(mail);
      },
    });
    await follow(refused, mailer);
    await run(mailer);
    await follow(taken, mailer);
    await run(mailer);
    expect(left.map(({ messageId }) => messageId)).toEqual([`<placed.${taken}@shop.example>`]);
  });

  it("MAIL2 C14 the mailer gives up on an e-mail that couldn't be sent for a day, and the order's timeline says so", async () => {
    const orderId = await shop.place();
    server.behave('refuse');
    const mailer = newMailer();
    const policies = createPolicies({ ...shop.scanSettings, mailer });
    await follow(orderId, mailer);
    await run(mailer);
    shop.advance(DAY + MINUTE);
    server.behave('take');
    await run(mailer);
    await run(mailer);
    const givenUp = { type: 'MailGivenUp', mail: 'placed', reason: 'too_late' };
    expect((await mails(orderId)).at(-1)).toEqual(givenUp);
    expect(server.received).toEqual([]);
    const events = await shop.sealing.openAll(await shop.log.readStream(streamName('mail', orderId), 0, 100));
    await policies.run(events);
    await policies.run(events);
    expect((await shop.history(orderId)).filter((event) => 'mail' in event)).toEqual([givenUp]);
    await policies.run(await eventsOf(orderId));
    expect((await shop.history(orderId)).filter((event) => 'mail' in event)).toEqual([givenUp]);
    expect(mailer.counts()).toMatchObject({ sent: 0, givenUp: 1 });
  });

  it.each(['reject', 'reject content'] as const)(
    "MAIL2 C14 the mailer immediately gives up on an e-mail that the server refuses permanently (%s), and the log and the order's timeline say so",
    async (behaviour) => {
      const orderId = await shop.place();
      server.behave(behaviour);
      const mailer = newMailer();
      await follow(orderId, mailer);
      await run(mailer);
      const givenUp = { type: 'MailGivenUp', mail: 'placed', reason: 'refused' };
      expect((await mails(orderId)).at(-1)).toEqual(givenUp);
      expect(mailer.counts()).toMatchObject({ sent: 0, givenUp: 1 });
      const events = await shop.sealing.openAll(await shop.log.readStream(streamName('mail', orderId), 0, 100));
      await createPolicies({ ...shop.scanSettings, mailer }).run(events);
      expect((await shop.history(orderId)).filter((event) => 'mail' in event)).toEqual([givenUp]);
      expect(shop.lines.join('')).toMatch(/"responseCode":55[04].*given up/);
      for (const line of shop.lines) expect(line).not.toContain(EMAIL);
      const attempts = server.attempts();
      server.behave('take');
      shop.advance(4 * MINUTE);
      await run(newMailer());
      expect(server.attempts()).toBe(attempts);
    },
  );

  it("MAIL2 an e-mail is retried if the mail server refuses the shop as the sender, because that refusal isn't about the e-mail itself", async () => {
    const orderId = await shop.place();
    server.behave('reject sender');
    const mailer = newMailer();
    await follow(orderId, mailer);
    await run(mailer);
    server.behave('take');
    shop.advance(4 * MINUTE);
    await run(mailer);
    expect(await mailTypes(orderId)).toEqual(['MailClaimed', 'MailClaimed', 'MailSent']);
  });
});
