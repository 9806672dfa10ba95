import { afterEach, beforeEach } from 'vitest';
import { streamName } from '../../contracts/ids.ts';
import type { CommandHandler } from '../../engine/commands/command-handler.ts';
import { createPeople } from '../../identity/people.fixture.ts';
import { openSmtp, type Smtp } from '../../process/smtp.ts';
import { isoTime } from '../../runtime/clock.ts';
import { orderDecider } from '../order/decide-order.ts';
import { META, newId, type PayingShop, startPayingShop } from '../payment/paying-shop.fixture.ts';
import { userDecider } from '../people/decide-user.ts';
import { shopProjection } from '../projection.ts';
import { createOrderMailer, type OrderMailer, type OrderMailerSettings } from './order-mailer-flow.ts';
import { startSmtpServer } from './smtp-server.fixture.ts';

export const EMAIL = 'rumi@micro-center.test';
export const PATIENT = { timeout: 20_000 };
export const MINUTE = 60_000;
export const DAY = 86_400_000;

export let shop: PayingShop;
export let people: ReturnType<typeof createPeople>;
export let server: Awaited<ReturnType<typeof startSmtpServer>>;
export let smtp: Smtp;
let mailers: OrderMailer[];

/** Before each test in a file, opens a shop whose customer has a verified account, and starts a mail server. */
export function freshShop(): void {
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
}

export const now = () => isoTime(shop.clock());

/** Creates a mailer that behaves as if it ran in a separate process. */
export function newMailer(change: Partial<OrderMailerSettings> = {}): OrderMailer {
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

export const eventsOf = async (orderId: string) =>
  shop.sealing.openAll(await shop.log.readStream(streamName('order', orderId), 0, 1000));

/** Returns a command handler that fails as if its process had died before it could record that an e-mail was sent. */
export function dying(): CommandHandler {
  const own = shop.newHandler();
  return {
    ...own,
    execute: (decider, id, command, ...rest) =>
      (command as { type: string }).type === 'RecordMailSent'
        ? Promise.reject(new Error('killed'))
        : own.execute(decider, id, command, ...rest),
  };
}

/** Passes all of an order's events to the mailer, as the policies do. Projects the log before and afterwards. */
export async function follow(orderId: string, mailer: OrderMailer): Promise<void> {
  await shop.project();
  for (const event of await eventsOf(orderId)) await mailer.follow(event);
  await shop.project();
}

export async function run(mailer: OrderMailer): Promise<void> {
  await mailer.runOnce();
  await shop.project();
}

export const mails = (orderId: string) => shop.history(orderId, 'mail');
export const mailTypes = async (orderId: string) =>
  (await mails(orderId)).map((event) => (event as { type: string }).type);

async function pay(orderId: string): Promise<void> {
  const meta = { ...META, cause: newId(), time: now() };
  const settle = { type: 'SettlePayment', intent: 'pi_1', amount: 250_000, currency: 'bdt' } as const;
  await shop.handler.execute(orderDecider, orderId, settle, meta);
}

export async function ship(orderId: string): Promise<void> {
  await pay(orderId);
  const meta = { ...META, cause: newId(), time: now() };
  await shop.handler.execute(orderDecider, orderId, { type: 'ShipOrder', now: meta.time }, meta);
}
