import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import express from 'express';
import { pino } from 'pino';
import { type StreamKind, streamName } from '../../contracts/ids.ts';
import { control, SECRET_KEY, settingsFor, WEBHOOK_SECRET } from '../../demo/stripe/simulator.fixture.ts';
import { createStripeSimulator } from '../../demo/stripe/simulator.ts';
import { openShopDatabase } from '../../embedded/sqlite/sqlite-database.ts';
import { createSqliteEventLog } from '../../embedded/sqlite/sqlite-event-log.ts';
import { createSqliteKeyVault } from '../../embedded/sqlite/sqlite-key-vault.ts';
import { createSqliteReadModels } from '../../embedded/sqlite/sqlite-read-models.ts';
import { type CommandHandler, createCommandHandler } from '../../engine/commands/command-handler.ts';
import { createSealing } from '../../engine/log/sealing.ts';
import { createInProcessBroadcast } from '../../engine/projector/broadcast.ts';
import { createProjector } from '../../engine/projector/project.ts';
import { createPolicies } from '../../process/policies.ts';
import { isoTime } from '../../runtime/clock.ts';
import { shopDocuments } from '../documents.ts';
import { orderDecider } from '../order/decide-order.ts';
import { placeOrder } from '../order/place-order-flow.ts';
import { placingShop } from '../order/placing-shop.fixture.ts';
import { productDecider } from '../product/decide-product.ts';
import { shopProjection } from '../projection.ts';
import { createOrderScan } from './scan-orders-flow.ts';
import { createStripeClient } from './stripe-client-flow.ts';
import { createStripePayments } from './stripe-payments-flow.ts';
import { createStripeWebhookRouter } from './webhook-routes.ts';

export const HOUR = 3_600_000;
export const META = { actor: 'a'.repeat(32), correlationId: 'c-1' };
/** The total of a test order, in poisha: 2 pieces at 1,250 taka each. */
export const AMOUNT = 250_000;
const STOCK = 10;

export const newId = () => randomBytes(12).toString('hex');
export type PayingShop = Awaited<ReturnType<typeof startPayingShop>>;

/**
 * Starts the part of the shop that takes payments, and a Stripe simulator that posts signed webhooks to it. The shop's
 * files are in a new folder. The log is projected only when a test requests it. The clock keeps running, and a test can
 * advance it.
 */
export async function startPayingShop() {
  const folder = mkdtempSync(join(tmpdir(), 'paying-shop-'));
  let ahead = 0;
  const clock = () => Date.now() + ahead;
  const lines: string[] = [];
  const logger = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) });

  const database = openShopDatabase(join(folder, 'shop.db'));
  const log = createSqliteEventLog({ database });
  const vault = createSqliteKeyVault({ file: join(folder, 'keys.db') });
  const sealing = createSealing({ vault, log, logger });
  const readModels = createSqliteReadModels({ database, declarations: shopDocuments });
  /**
   * Creates a command handler as a separate process would. The handler shares the log with the other handlers, but has
   * its own memory.
   */
  const newHandler = () => createCommandHandler({ log, sealing, newId });
  const handler = newHandler();

  const server = createServer();
  const webhookUrl = `http://127.0.0.1:${await listen(server)}/webhooks/stripe`;
  const startStripe = async (port?: number) => {
    const settings = settingsFor(folder, webhookUrl);
    const simulator = createStripeSimulator({ ...settings, clock, newId: prefixed });
    return { simulator, port: (await simulator.start({ port, host: '127.0.0.1' })).port };
  };
  let { simulator, port } = await startStripe();
  const stripeUrl = `http://127.0.0.1:${port}`;
  const stripe = createStripeClient({ secretKey: SECRET_KEY, simulatorUrl: stripeUrl });
  const newPayments = (own: CommandHandler = newHandler()) =>
    createStripePayments({ stripe, handler: own, clock, logger });
  const payments = newPayments(handler);

  const scanSettings = { handler, readModels, payments, clock, logger };
  const scan = createOrderScan(scanSettings);
  const policies = createPolicies({ handler, clock, logger, onOwing: scan.nudge });
  const projector = createProjector({
    log,
    sealing,
    readModels,
    projection: shopProjection,
    clock,
    runPolicies: policies.run,
    broadcast: createInProcessBroadcast(),
  });
  let position: string | null = null;

  const webhooks = { settle: payments.settle };
  const settle: typeof payments.settle = (...args) => webhooks.settle(...args);
  const { settleRefunds, settleDispute } = payments;
  const router = createStripeWebhookRouter({
    stripe,
    webhookSecret: WEBHOOK_SECRET,
    livemode: false,
    settle,
    settleRefunds,
    settleDispute,
    logger,
    clock,
  });
  server.on('request', express().use(router));

  const productId = newId();
  const details = { name: 'Casing', img1: '', img2: '', processor: '', gpu: '', rated: '', description: '' };
  await handler.execute(
    productDecider,
    productId,
    { type: 'AddProduct', details: { ...details, price: AMOUNT / 2, minorder: 1 }, quantity: STOCK },
    { ...META, cause: `add:${productId}`, time: isoTime(clock()) },
  );

  const execute = (orderId: string, command: Parameters<typeof orderDecider.decide>[0]) =>
    handler.execute(orderDecider, orderId, command, { ...META, cause: newId(), time: isoTime(clock()) });

  /** Projects the log and runs the policies until there are no new events. */
  async function project(): Promise<void> {
    for (;;) {
      const { events, position: next } = await log.readAll(position, 1000);
      if (events.length === 0) return;
      position = next;
      const failed = await projector.project(events);
      if (failed.size > 0) throw new Error(`Failed events: ${[...failed].join()}\n${lines.join('')}`);
    }
  }

  return {
    clock,
    handler,
    log,
    lines,
    payments,
    policies,
    productId,
    readModels,
    scan,
    scanSettings,
    sealing,
    logger,
    newHandler,
    newPayments,
    stripe,
    stripeUrl,
    vault,
    webhookUrl,
    webhooks,
    execute,
    advance(milliseconds: number) {
      ahead += milliseconds;
    },
    /** Places an order of 2 pieces that expires in an hour. */
    async place(by = handler): Promise<string> {
      const orderId = newId();
      const placedAt = isoTime(clock());
      const delivery = { name: 'Rumi', email: 'rumi@micro-center.test', phone: '01700000000', address: 'Dhaka' };
      const times = { placedAt, expiresAt: isoTime(clock() + HOUR) };
      const command = { orderId, productId, quantity: 2, userId: META.actor, delivery, ...times };
      const placed = await placeOrder(
        placingShop(by),
        { type: 'ReduceStock', ...command },
        { ...META, time: placedAt },
      );
      if (placed.kind === 'refused') throw new Error(placed.refusal.code);
      return orderId;
    },
    cancel: (orderId: string) => execute(orderId, { type: 'CancelOrder' }),
    removeProduct: () =>
      handler.execute(
        productDecider,
        productId,
        { type: 'RemoveProduct' },
        { ...META, cause: newId(), time: isoTime(clock()) },
      ),
    /** Requests a client secret to pay for this order. Returns the id of the order's payment intent. */
    async startPaying(orderId: string, by = payments): Promise<string> {
      const outcome = await by.createIntent(orderId, META);
      if (outcome.kind === 'refused') throw new Error(outcome.refusal.code);
      return outcome.clientSecret.replace(/_secret_.*$/, '');
    },
    pay: (intent: string) => stripe.paymentIntents.confirm(intent, { payment_method: 'pm_card_visa' }),
    /** Returns a stream's events, oldest first. ProductAdded and events with a draft are reduced to their type. */
    async history(id: string, kind: StreamKind = 'order'): Promise<object[]> {
      const events = await sealing.openAll(await log.readStream(streamName(kind, id), 0, 1000));
      return events.map(({ type, data }) =>
        'draft' in data || type === 'ProductAdded' ? { type } : { type, ...data },
      );
    },
    project,
    /** Projects the log and runs the policies, then scans the orders and projects the resulting events. */
    async runAll(): Promise<void> {
      await project();
      await scan.runOnce();
      await project();
    },
    faults: (knobs: Record<string, unknown>) => control(port).faults(knobs),
    /** Changes a refund's status in the Stripe simulator. */
    changeRefund: (refund: string, status: string) => control(port).changeRefund(refund, status),
    /** Acts as a person in Stripe's dashboard, or as a bank. */
    decide: (path: string, body: object) => control(port).control(path, body),
    /** Resolves once the Stripe simulator has delivered all its webhooks or given up on them. */
    delivered: () => control(port).settled(),
    /** Posts a webhook body, by default with a valid signature made at the current time. */
    post: (payload: string, { secret = WEBHOOK_SECRET, age = 0, headers = {} } = {}) => {
      const timestamp = Math.floor(clock() / 1000) - age;
      const signature = stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp });
      const all = { 'content-type': 'application/json', 'stripe-signature': signature, ...headers };
      return fetch(webhookUrl, { method: 'POST', headers: all, body: payload });
    },
    async stopStripe() {
      await simulator.stop();
    },
    async restartStripe() {
      ({ simulator } = await startStripe(port));
    },
    async close() {
      await scan.stop();
      await simulator.stop();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await log.close();
      await vault.close();
      database.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Returns the body of a Stripe event about a payment intent. */
export function eventBody(type: string, intent: string): string {
  return JSON.stringify({ id: `evt_${newId()}`, object: 'event', type, data: { object: { id: intent } } });
}

export const placed = { type: 'OrderPlaced' };
export const started = (intent: string, attempt = 1) => ({ type: 'PaymentStarted', intent, attempt, amount: AMOUNT });
export const recorded = (intent: string) => ({ type: 'PaymentRecorded', intent, amount: AMOUNT, currency: 'bdt' });
export const abandoned = (intent: string) => ({ type: 'PaymentAbandoned', intent });
export function refundDue(intent: string, reason: string, paid: { amount?: number; currency?: string } = {}): object {
  return { type: 'RefundDue', intent, amount: AMOUNT, currency: 'bdt', reason, ...paid };
}

function prefixed(prefix: string): string {
  return `${prefix}${newId()}`;
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)));
}
