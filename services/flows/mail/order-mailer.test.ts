import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MailDocument } from '../../contracts/documents.ts';
import { streamName } from '../../contracts/ids.ts';
import type { WithdrawalReason } from '../../contracts/reasons.ts';
import type { CommandHandler } from '../../engine/commands/command-handler.ts';
import { createPeople } from '../../identity/people.fixture.ts';
import { openSmtp, type Smtp } from '../../process/smtp.ts';
import { isoTime } from '../../runtime/clock.ts';
import { orderDecider } from '../../shop/order/decide-order.ts';
import { shopProjection } from '../../shop/projection.ts';
import { userDecider } from '../../shop/user/decide-user.ts';
import { createPolicies } from '../follow-ups/follow-events.ts';
import { META, newId, type PayingShop, startPayingShop } from '../payments/paying-shop.fixture.ts';
import { createOrderMailer, type OrderMailer, type OrderMailerSettings } from './order-mailer.ts';
import { MailRefused, type OutgoingMail } from './send-mail.ts';
import { startSmtpServer } from './smtp-server.fixture.ts';

const EMAIL = 'rumi@micro-center.test';
const PATIENT = { timeout: 20_000 };
const MINUTE = 60_000;
const DAY = 86_400_000;

describe('mails about orders', () => {
  let shop: PayingShop;
  let people: ReturnType<typeof createPeople>;
  let server: Awaited<ReturnType<typeof startSmtpServer>>;
  let smtp: Smtp;
  let mailers: OrderMailer[];
  beforeEach(async () => {
    shop = await startPayingShop();
    server = await startSmtpServer();
    smtp = openSmtp({ smtpUrl: server.url, from: 'Micro Center <orders@shop.example>' });
    mailers = [];
    people = createPeople();
    people.put('uid-1', EMAIL);
    const person = { userId: META.actor, uid: 'uid-1', email: EMAIL, name: 'Rumi' };
    const register = { type: 'RegisterUser', ...person, grantAdmin: false } as const;
    await shop.handler.execute(userDecider, META.actor, register, { ...META, cause: newId(), time: now() });
  });
  afterEach(async () => {
    await Promise.all(mailers.map((mailer) => mailer.stop()));
    smtp.close();
    await server.close();
    await shop.close();
  });

  const now = () => isoTime(shop.clock());

  /** A process of its own in all but name. */
  function newMailer(change: Partial<OrderMailerSettings> = {}): OrderMailer {
    const { log, sealing, readModels, clock, logger } = shop;
    const handler = shop.newHandler();
    const source = { log, sealing, readModels, projection: shopProjection };
    const mailer = createOrderMailer({
      handler,
      source,
      identity: people.identity,
      send: smtp.send,
      clock,
      newId,
      logger,
      origin: 'https://shop.example',
      ...change,
    });
    mailers.push(mailer);
    return mailer;
  }

  const eventsOf = async (orderId: string) =>
    shop.sealing.openAll(await shop.log.readStream(streamName('order', orderId), 0, 1000));

  /** Of a process that ends before it can say that a mail was sent. */
  function dying(): CommandHandler {
    const own = shop.newHandler();
    return {
      ...own,
      execute: (decider, id, command, ...rest) =>
        (command as { type: string }).type === 'RecordMailSent'
          ? Promise.reject(new Error('killed'))
          : own.execute(decider, id, command, ...rest),
    };
  }

  /** Follows all that has happened to an order, as the policies do; what they append is projected. */
  async function follow(orderId: string, mailer: OrderMailer): Promise<void> {
    await shop.project();
    for (const event of await eventsOf(orderId)) await mailer.follow(event);
    await shop.project();
  }

  async function run(mailer: OrderMailer): Promise<void> {
    await mailer.runOnce();
    await shop.project();
  }

  const mails = (orderId: string) => shop.history(orderId, 'mail');
  const mailTypes = async (orderId: string) => (await mails(orderId)).map((event) => (event as { type: string }).type);

  async function pay(orderId: string): Promise<void> {
    const meta = { ...META, cause: newId(), time: now() };
    const settle = { type: 'SettlePayment', intent: 'pi_1', amount: 250_000, currency: 'bdt' } as const;
    await shop.handler.execute(orderDecider, orderId, settle, meta);
  }

  async function ship(orderId: string): Promise<void> {
    await pay(orderId);
    const meta = { ...META, cause: newId(), time: now() };
    await shop.handler.execute(orderDecider, orderId, { type: 'ShipOrder', now: meta.time }, meta);
  }

  it('J1 MAIL1 a placed order is mailed once to its customer, by SMTP, in plain text and HTML', async () => {
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

  it('MAIL1 several copies that see an event, also again and again, send one mail', async () => {
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

  it('MAIL1 copies that find a claim of a process that is gone send one mail', async () => {
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

  it('MAIL1 a crash between the server’s 250 and MailSent repeats the mail under the same Message-ID', async () => {
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

  it('MAIL1 a store that is away while a sent mail is recorded does not make it leave twice', async () => {
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

  it('MAIL1 a store that is away until the claim has ended does not make the process that sent a mail send it again', async () => {
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

  it('MAIL4 a server that refuses, drops the connection or is away is tried again, and the order goes on meanwhile', async () => {
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

  it('MAIL4 FEED2 an event is followed while the server hangs: its mail is claimed, not yet sent', async () => {
    server.behave('hang');
    const mailer = newMailer();
    const policies = createPolicies({ ...shop.scanSettings, mailer });
    const orders = [];
    for (let count = 0; count < 5; count += 1) orders.push(await shop.place());
    await shop.project();
    for (const orderId of orders) expect(await policies.follow(await eventsOf(orderId))).toEqual(new Set());
    await expect.poll(server.attempts).toBe(4);
    expect(mailer.counts()).toMatchObject({ sent: 0, waiting: 5 });
    for (const orderId of orders) expect(await mailTypes(orderId)).toEqual(['MailClaimed']);
  });

  it('V23 MAIL4 of more mails than leave at once the others follow, with nothing else to wake the mailer', async () => {
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

  it('MAIL4 a server that is away is left alone for a while, whoever else is to be mailed', async () => {
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
    // As many as are sent at once; the fifth order's mail waits.
    expect(tries).toBe(4);
    await run(mailer);
    expect(tries).toBe(4);
    shop.advance(10_000);
    await run(mailer);
    expect(tries).toBe(5);
  });

  it('T31 MAIL4 after a mail was sent the pauses begin again at the shortest', async () => {
    let away = true;
    let tries = 0;
    const mailer = newMailer({
      send: async () => {
        tries += 1;
        if (away) throw new Error('connect ECONNREFUSED');
      },
    });
    /** How many mails it tries to send where one more order was placed. */
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
    // After one failure the pause is a second, after three it would be four.
    shop.advance(2_000);
    expect(await triesAfterOrder()).toBe(1);
  });

  it('MAIL4 one customer’s mail that is refused keeps nobody else’s from leaving', async () => {
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

  it('MAIL2 C14 a mail that could not leave for a day is given up, and the order’s timeline says so', async () => {
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
    await policies.follow(events);
    await policies.follow(events);
    expect((await shop.history(orderId)).filter((event) => 'mail' in event)).toEqual([givenUp]);
    await policies.follow(await eventsOf(orderId));
    expect((await shop.history(orderId)).filter((event) => 'mail' in event)).toEqual([givenUp]);
    expect(mailer.counts()).toMatchObject({ sent: 0, givenUp: 1 });
  });

  it.each(['reject', 'reject content'] as const)(
    'E27 MAIL2 C14 a mail that the server refuses for good (%s) is given up at once, and log and timeline say so',
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
      await createPolicies({ ...shop.scanSettings, mailer }).follow(events);
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

  it('E27 MAIL2 a server that refuses the shop as sender is tried again, since that says nothing about the mail', async () => {
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

  it('MAIL2 an event that is older than a day mails nobody', async () => {
    const orderId = await shop.place();
    await shop.project();
    shop.advance(DAY + 1);
    const mailer = newMailer();
    await follow(orderId, mailer);
    await run(mailer);
    expect(await mails(orderId)).toEqual([]);
  });

  it('MAIL3 the shipped mail waits for half a minute, then leaves', async () => {
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

  describe('of a shipment that is withdrawn', () => {
    let orderId: string;
    let mailer: OrderMailer;
    beforeEach(async () => {
      orderId = await shop.place();
      mailer = newMailer();
      await ship(orderId);
      await follow(orderId, mailer);
      await run(mailer);
    });

    async function withdraw(reason: WithdrawalReason | null, shipment = 1, time = now()): Promise<void> {
      const meta = { ...META, cause: newId(), time };
      const command = { type: 'WithdrawShipment', shipment, reason, now: meta.time } as const;
      expect(await shop.handler.execute(orderDecider, orderId, command, meta)).toMatchObject({ kind: 'done' });
    }

    async function shipAgain(): Promise<void> {
      const meta = { ...META, cause: newId(), time: now() };
      await shop.handler.execute(orderDecider, orderId, { type: 'ShipOrder', now: meta.time }, meta);
    }

    async function runAfter(milliseconds: number): Promise<void> {
      shop.advance(milliseconds);
      await run(mailer);
    }

    /** Those about shipping that have left, in order. */
    const left = () =>
      server.received
        .map(({ messageId }) => messageId.slice(1, messageId.indexOf(`.${orderId}`)))
        .filter((mail) => /^(shipped|withdrawn)/.test(mail));

    it('MAIL3 MAIL5 within 30 s nobody is mailed; the next shipment has a mail of its own', async () => {
      shop.advance(10_000);
      await withdraw(null);
      await follow(orderId, mailer);
      await runAfter(25_000);
      await runAfter(10 * MINUTE);
      expect(left()).toEqual([]);
      expect((await mails(orderId)).at(-1)).toEqual({ type: 'MailGivenUp', mail: 'shipped', reason: 'outdated' });
      await shipAgain();
      await follow(orderId, mailer);
      await runAfter(31_000);
      expect(left()).toEqual(['shipped.2']);
    });

    it('MAIL5 after its mail has left one mail corrects it, over any number of copies', async () => {
      await runAfter(31_000);
      await withdraw('address');
      await follow(orderId, mailer);
      await follow(orderId, newMailer());
      await run(mailer);
      await runAfter(5 * MINUTE);
      expect(left()).toEqual(['shipped', 'withdrawn']);
      await shipAgain();
      await follow(orderId, mailer);
      await runAfter(31_000);
      await withdraw('damaged', 2);
      await follow(orderId, mailer);
      await run(mailer);
      expect(left()).toEqual(['shipped', 'withdrawn', 'shipped.2', 'withdrawn.2']);
    });

    it('MAIL5 READ1 a withdrawal at 29.9 s that nobody has projected or followed yet keeps the mail from leaving at 30 s', async () => {
      const shippedAt = (await shop.readModels.get('order', orderId))?.shippedAt ?? '';
      shop.advance(30_000);
      await withdraw(null, 1, isoTime(Date.parse(shippedAt) + 29_900));
      await mailer.runOnce();
      await follow(orderId, mailer);
      await runAfter(10 * MINUTE);
      expect(left()).toEqual([]);
    });

    it('MAIL5 a withdrawal while the mail is on its way is corrected once that mail is known to have left', async () => {
      const overtaken = newMailer({
        send: async (mail) => {
          await withdraw('mistake');
          await follow(orderId, newMailer());
          await smtp.send(mail);
        },
      });
      shop.advance(31_000);
      await overtaken.runOnce();
      expect(left()).toEqual(['shipped']);
      await runAfter(4 * MINUTE);
      expect(left()).toEqual(['shipped', 'withdrawn']);
    });

    it('MAIL5 where the sender ended before it said whether the mail left, a correction is sent', async () => {
      const dies = newMailer({ handler: dying() });
      shop.advance(31_000);
      void dies.runOnce();
      await expect.poll(left).toEqual(['shipped']);
      await dies.stop();
      await withdraw('not_collected');
      await follow(orderId, mailer);
      await runAfter(4 * MINUTE);
      await runAfter(10 * MINUTE);
      expect(left()).toEqual(['shipped', 'withdrawn']);
    });

    it('MAIL5 nothing is corrected that the next mail says anyway: shipped again', async () => {
      await runAfter(31_000);
      server.behave('refuse');
      await withdraw('damaged');
      await follow(orderId, mailer);
      await run(mailer);
      await shipAgain();
      await follow(orderId, mailer);
      server.behave('take');
      await runAfter(4 * MINUTE);
      expect(left()).toEqual(['shipped', 'shipped.2']);
      const givenUp = { type: 'MailGivenUp', mail: 'withdrawn', reason: 'outdated' };
      expect(await mails(orderId)).toContainEqual(givenUp);
    });
  });

  it('MAIL2 nothing is said that is out of date when the mail would leave', async () => {
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

  it('T30 MAIL3 only an address that the provider calls verified at that moment, and the account’s own, is mailed', async () => {
    const mailer = newMailer();
    const changes = {
      unverified: () => people.put('uid-1', EMAIL, { emailVerified: false }),
      disabled: () => people.put('uid-1', EMAIL, { disabled: true }),
      'under another address': () => people.put('uid-1', 'other@micro-center.test'),
      gone: () => people.accounts.clear(),
    };
    for (const [account, change] of Object.entries(changes)) {
      change();
      const orderId = await shop.place();
      await follow(orderId, mailer);
      await run(mailer);
      const reason = 'no_verified_email';
      expect((await mails(orderId)).at(-1), account).toEqual({ type: 'MailGivenUp', mail: 'placed', reason });
    }
    expect(server.received).toEqual([]);
  });

  it('MAIL3 ERASE1 whoever closed the account is mailed no more', async () => {
    const orderId = await shop.place();
    const close = { type: 'CloseAccount', reason: 'erased', delisted: 0 } as const;
    await shop.handler.execute(userDecider, META.actor, close, { ...META, cause: newId(), time: now() });
    const mailer = newMailer();
    await shop.project().catch(() => undefined);
    for (const event of await eventsOf(orderId)) await mailer.follow(event);
    await mailer.runOnce();
    expect(server.received).toEqual([]);
    expect((await mails(orderId)).at(-1)).toMatchObject({ type: 'MailGivenUp', reason: 'no_verified_email' });
  });

  it('MAIL3 while the provider is away the mail waits', async () => {
    const orderId = await shop.place();
    const away = newMailer({ identity: { accounts: async () => Promise.reject(new Error('away')) } });
    await follow(orderId, away);
    await run(away);
    expect(await mailTypes(orderId)).toEqual(['MailClaimed']);
    shop.advance(4 * MINUTE);
    await run(newMailer());
    expect(server.received).toHaveLength(1);
  });

  it('PRJ3 the document of the mails says which wait, until when', async () => {
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
